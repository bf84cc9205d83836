import type { IncomingMessage, ServerResponse } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { TestAuthority } from "./test-authority.js";

/** How the server behaves towards all clients. */
export type ExtensionMood = "well" | "hangs" | "garbage" | "broken" | "redirects";

export interface ExtensionApiServerOptions {
  readonly group: string;
  readonly version: string;
  /** Names in its certificate. */
  readonly names: readonly string[];
  readonly authority: TestAuthority;
  /** Authority of client certificates; `requests` records who presented one. */
  readonly clientCaPem?: string | undefined;
  /** Speaks HTTP/2, too, as servers in Go do. */
  readonly http2?: boolean | undefined;
  /** Whether requests are recorded in `requests`. Default: true. */
  readonly records?: boolean | undefined;
}

export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  /** Common name of the client's certificate. */
  readonly client: string | undefined;
  /** The client's port: the same for all requests of one connection. */
  readonly connection: number | undefined;
}

interface Flunder {
  apiVersion: string;
  kind: "Flunder";
  metadata: { name: string; namespace: string; resourceVersion: string; uid: string };
  spec?: object;
}

/**
 * A minimal extension API server: flunders in memory, with list, watch, create, get and delete, tables, its own discovery and OpenAPI,
 * and an `exec` that upgrades and echoes.
 */
export class ExtensionApiServer {
  mood: ExtensionMood = "well";
  /** Of the specification of its flunders, in its Swagger document. */
  fields: Readonly<Record<string, object>> = { fluff: { type: "string" } };
  /** Its OpenAPI 3 document, if it has one. */
  openApi3: object | undefined;
  readonly requests: SeenRequest[] = [];
  readonly #options: ExtensionApiServerOptions;
  readonly #server: Server;
  readonly #flunders = new Map<string, Flunder>();
  readonly #watchers = new Set<ServerResponse>();
  readonly #hanging = new Set<ServerResponse>();
  readonly #sockets = new Set<Socket>();
  #version = 0;

  private constructor(options: ExtensionApiServerOptions, server: Server) {
    this.#options = options;
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    server.on("request", (request, response) => void this.#answer(request, response));
    server.on("upgrade", (request: IncomingMessage, socket: TLSSocket) => {
      this.#see(request);
      if (this.mood === "redirects") {
        socket.end("HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example.com/\r\n\r\n");
        return;
      }
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
      socket.pipe(socket);
      socket.on("error", () => undefined);
    });
  }

  static async start(options: ExtensionApiServerOptions, port = 0): Promise<ExtensionApiServer> {
    const { authority, names, clientCaPem } = options;
    const certificate = await authority.issue({ commonName: names[0] ?? "", usage: "server", names });
    const tls = {
      cert: certificate.certPem,
      key: certificate.keyPem,
      ...(clientCaPem !== undefined && { ca: clientCaPem, requestCert: true, rejectUnauthorized: false }),
    };
    // Both have the members used here.
    const server = options.http2
      ? (createSecureServer({ ...tls, allowHTTP1: true }) as unknown as Server)
      : createServer(tls);
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return new ExtensionApiServer(options, server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // it listens on a port
  }

  get connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  }

  /** Number of unanswered requests whose clients still wait. */
  get hanging(): number {
    return this.#hanging.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  get #groupVersion(): string {
    return `${this.#options.group}/${this.#options.version}`;
  }

  #see(request: IncomingMessage): void {
    if (this.#options.records === false) return;
    const socket = request.socket as TLSSocket; // the server speaks TLS only
    const subject = socket.authorized ? socket.getPeerCertificate().subject : undefined;
    const { method = "", url = "", headers } = request;
    const client = subject === undefined ? undefined : String(subject.CN);
    this.requests.push({ method, target: url, headers, client, connection: socket.remotePort });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#see(request);
    if (this.mood === "hangs") {
      this.#hanging.add(response);
      response.on("close", () => this.#hanging.delete(response));
      return;
    }
    if (this.mood === "redirects") {
      return void response.writeHead(302, { Location: "https://elsewhere.example.com/" }).end("over there");
    }
    if (this.mood === "garbage") return void response.writeHead(200).end("no JSON, not even nearly {");
    if (this.mood === "broken") return void response.writeHead(500).end("broken");
    const url = new URL(request.url ?? "/", "https://extension");
    const base = `/apis/${this.#groupVersion}`;
    if (url.pathname === "/openapi/v2") return this.#send(response, 200, this.#swagger(base));
    if (url.pathname === `/openapi/v3${base}` && this.openApi3 !== undefined)
      return this.#send(response, 200, this.openApi3);
    if (url.pathname === base) return this.#send(response, 200, this.#resources());
    const match = /^\/namespaces\/([^/]+)\/flunders(?:\/([^/]+))?$/.exec(url.pathname.slice(base.length));
    const all = url.pathname === `${base}/flunders`;
    if (match === null && !all) return this.#fail(response, 404, "NotFound");
    const [, namespace = "", name] = match ?? [];
    if (request.method === "POST") return await this.#create(request, response, namespace);
    if (name !== undefined) return this.#one(request, response, `${namespace}/${name}`);
    if (url.searchParams.get("watch") === "true" || url.searchParams.get("watch") === "1")
      return this.#watch(response);
    this.#list(request, response, namespace);
  }

  async #create(request: IncomingMessage, response: ServerResponse, namespace: string): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = JSON.parse(Buffer.concat(pieces).toString("utf8")) as Flunder;
    const { name } = body.metadata;
    const flunder: Flunder = {
      ...body,
      apiVersion: this.#groupVersion,
      kind: "Flunder",
      metadata: { ...body.metadata, namespace, resourceVersion: String(++this.#version), uid: `uid-${name}` },
    };
    this.#flunders.set(`${namespace}/${name}`, flunder);
    for (const watcher of this.#watchers)
      watcher.write(`${JSON.stringify({ type: "ADDED", object: flunder })}\n`);
    this.#send(response, 201, flunder);
  }

  #one(request: IncomingMessage, response: ServerResponse, key: string): void {
    const flunder = this.#flunders.get(key);
    if (flunder === undefined) {
      this.#fail(response, 404, "NotFound");
      return;
    }
    if (request.method === "DELETE") this.#flunders.delete(key);
    this.#send(response, 200, wantsTable(request) ? this.#table([flunder]) : flunder);
  }

  #list(request: IncomingMessage, response: ServerResponse, namespace: string): void {
    const items = [...this.#flunders.values()].filter(
      ({ metadata }) => namespace === "" || metadata.namespace === namespace,
    );
    const metadata = { resourceVersion: String(this.#version) };
    const list = { apiVersion: this.#groupVersion, kind: "FlunderList", metadata, items };
    this.#send(response, 200, wantsTable(request) ? this.#table(items) : list);
  }

  #watch(response: ServerResponse): void {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.flushHeaders();
    this.#watchers.add(response);
    response.on("close", () => this.#watchers.delete(response));
  }

  #table(items: readonly Flunder[]): object {
    return {
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      metadata: { resourceVersion: String(this.#version) },
      columnDefinitions: [
        { name: "Name", type: "string", format: "name", description: "", priority: 0 },
        { name: "Fluff", type: "string", format: "", description: "", priority: 0 },
      ],
      rows: items.map((object) => ({ cells: [object.metadata.name, "very"], object })),
    };
  }

  #resources(): object {
    const of = { namespaced: true, kind: "Flunder", singularName: "" };
    return {
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: this.#groupVersion,
      resources: [
        { ...of, name: "flunders", verbs: ["create", "delete", "get", "list", "watch"], shortNames: ["fl"] },
        { ...of, name: "flunders/exec", verbs: ["create", "get"] },
      ],
    };
  }

  #swagger(base: string): object {
    const reference = { $ref: "#/definitions/com.example.Flunder" };
    const [group, version] = this.#groupVersion.split("/");
    return {
      swagger: "2.0",
      info: { title: "Flunders", version: "v1" },
      paths: {
        [`${base}/namespaces/{namespace}/flunders`]: {
          get: {
            operationId: "listFlunders",
            responses: { 200: { description: "OK", schema: reference } },
            "x-kubernetes-group-version-kind": { group, version, kind: "Flunder" },
          },
        },
        "/healthz": { get: { responses: { 200: { description: "OK" } } } },
      },
      definitions: {
        "com.example.Flunder": {
          type: "object",
          properties: { spec: { type: "object", properties: this.fields } },
          "x-kubernetes-group-version-kind": [{ group, version, kind: "Flunder" }],
        },
      },
    };
  }

  #send(response: ServerResponse, status: number, body: object): void {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = { "Content-Type": "application/json", "Content-Length": bytes.length };
    response.writeHead(status, headers).end(bytes);
  }

  #fail(response: ServerResponse, code: number, reason: string): void {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason,
      code,
      message: "no such flunder",
    };
    this.#send(response, code, status);
  }
}

function wantsTable({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes("as=Table") === true;
}
