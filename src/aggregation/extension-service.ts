import { isIP } from "node:net";
import { messageOf } from "../apimachinery/errors/message-of.js";
import { parseJson } from "../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonObject } from "../apimachinery/json/json-value.js";
import type { APIServiceSpec } from "../apis/gen/apiregistration-v1.js";
import type { ExtensionServer } from "../endpoints/catalog/extension-server.js";
import type { ConnectTarget } from "../endpoints/connect/connect-result.js";
import { PassingClient } from "../remote/passing-client.js";
import type { RemoteAnswer } from "../remote/remote-call.js";
import { type Dial, RemoteClient, type RemoteClientOptions } from "../remote/remote-client.js";
import { type DiscoveryToAsk, type DocumentsRead, ExtensionDocuments } from "./extension-documents.js";
import type { ServiceAddresses } from "./service-addresses.js";
import type { Address } from "./service-backends.js";
import { ServiceRoute } from "./service-route.js";

export interface ExtensionServiceParts {
  readonly spec: APIServiceSpec;
  /** The client certificate presented to extension servers, so that they trust the user headers. */
  readonly certificate: { readonly certPem: string; readonly keyPem: string } | undefined;
  /** The user for the server's own requests. */
  readonly user: string;
  /** `--enable-aggregator-routing`: connects to the endpoints of the service instead of its cluster IP. */
  readonly toEndpoints: boolean;
  readonly dial: Dial;
  /** In [0, 1). */
  readonly random: () => number;
  readonly discovery: DiscoveryToAsk;
  /** Whether a failed check closes the connection, so that the next one opens another. */
  readonly disconnectsAfterFailure: boolean;
}

/** The `Available` condition of an API service, as of a check. */
export interface Availability {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

const checkTimeoutMs = 5000;
const discoveryBytesMax = 1024 * 1024;
const connectTimeoutMs = 10_000;

/** One extension server behind a service: its address, availability and documents. */
export class ExtensionService implements ExtensionServer {
  readonly #parts: ExtensionServiceParts;
  readonly #serverName: string;
  readonly #path: string;
  /** For this server's own requests. */
  readonly #client: RemoteClient;
  /** For the requests of clients. */
  readonly #passing: PassingClient;
  readonly #caPem: string | undefined;
  readonly #route: ServiceRoute;
  readonly #documents: ExtensionDocuments;
  #available = false;
  #resources: readonly JsonObject[] = [];
  #resourcesText = "";

  constructor(parts: ExtensionServiceParts) {
    const { spec, certificate } = parts;
    const { name = "", namespace = "" } = spec.service ?? {};
    this.#parts = parts;
    this.#serverName = `${name}.${namespace}.svc`;
    this.#path = `/apis/${spec.group ?? ""}/${spec.version ?? ""}`;
    const { caBundle = "" } = spec;
    this.#caPem = caBundle === "" ? undefined : Buffer.from(caBundle, "base64").toString("utf8");
    const { toEndpoints, random, discovery } = parts;
    this.#route = new ServiceRoute({ name: this.#serverName, dial: parts.dial, toEndpoints, random });
    this.#documents = new ExtensionDocuments({
      served: { group: spec.group ?? "", version: spec.version ?? "" },
      discovery,
      ask: (path, answerBytesMax, headers) => this.#ask(path, answerBytesMax, headers),
    });
    const dial: Dial = (_target, signal) => this.#route.dial(signal);
    const options: RemoteClientOptions = {
      server: {
        url: new URL(`https://${this.#serverName}:${spec.service?.port ?? 443}`),
        caPem: this.#caPem,
        serverName: this.#serverName,
        insecure: spec.insecureSkipTLSVerify === true,
      },
      identity: { certificate, authorization: undefined, impersonation: [] },
      dial,
    };
    this.#client = new RemoteClient({ ...options, connectionsMax: 2 });
    this.#passing = new PassingClient({ server: options.server, certificate, dial });
  }

  get resources(): readonly JsonObject[] {
    return this.#resources;
  }

  get aggregated(): readonly JsonObject[] | undefined {
    return this.#documents.aggregated;
  }

  get swagger(): JsonObject | undefined {
    return this.#documents.swagger;
  }

  get openApi3(): Uint8Array | undefined {
    return this.#documents.openApi3;
  }

  target(): ConnectTarget | undefined {
    if (!this.#available) return undefined;
    const address = this.#route.address();
    if (address === undefined) return undefined;
    const { certificate, spec } = this.#parts;
    return {
      protocol: "https",
      ...address,
      serverName: this.#serverName,
      tls: {
        verify: spec.insecureSkipTLSVerify !== true,
        ca: this.#caPem,
        cert: certificate?.certPem,
        key: certificate?.keyPem,
      },
      connectTimeoutMs,
      client: this.#passing,
    };
  }

  /** Requests the server's resources to see whether it is available. Does not reject. */
  async check(addresses: ServiceAddresses): Promise<Availability> {
    const availability = await this.#checked(addresses);
    this.#available = availability.status === "True";
    // Another machine may answer by now, which the old connection would never reach.
    if (!this.#available && this.#parts.disconnectsAfterFailure) this.#client.renew();
    return availability;
  }

  /** Reads its documents of discovery and OpenAPI if they changed. Does not reject. */
  readDocuments(): Promise<DocumentsRead> {
    return this.#documents.read();
  }

  async close(): Promise<void> {
    this.#available = false;
    await Promise.all([this.#client.close(), this.#passing.close()]);
  }

  async #checked(addresses: ServiceAddresses): Promise<Availability> {
    if (addresses.kind === "missing") {
      const { reason, message } = addresses;
      return { status: "False", reason, message };
    }
    this.#route.use(addresses);
    const where = this.#route.address();
    const url = `https://${where === undefined ? this.#serverName : authorityOf(where)}${this.#path}`;
    let answer: RemoteAnswer;
    try {
      answer = await this.#ask(this.#path, discoveryBytesMax, {});
    } catch (error) {
      this.#route.forget();
      return unanswered(url, messageOf(error));
    }
    const { status, body } = answer;
    if (status >= 200 && status <= 299) this.#takeResources(body.toString("utf8"));
    // A healthy server may refuse discovery to everyone.
    else if (status !== 401 && status !== 403) return unanswered(url, `bad status from ${url}: ${status}`);
    return { status: "True", reason: "Passed", message: "all checks passed" };
  }

  #takeResources(text: string): void {
    if (text === this.#resourcesText) return;
    const list = parseObject(text);
    this.#resourcesText = text;
    this.#resources = Array.isArray(list?.resources) ? list.resources.filter(isJsonObject) : [];
  }

  #ask(path: string, answerBytesMax: number, headers: Record<string, string>): Promise<RemoteAnswer> {
    return this.#client.request({
      method: "GET",
      path,
      headers: {
        Accept: "application/json",
        "X-Remote-User": this.#parts.user,
        "X-Remote-Group": "system:masters",
        ...headers,
      },
      timeoutMs: checkTimeoutMs,
      answerBytesMax,
    });
  }
}

function unanswered(url: string, problem: string): Availability {
  const message = `failing or missing response from ${url}: ${problem}`;
  return { status: "False", reason: "FailedDiscoveryCheck", message };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function authorityOf({ host, port }: Address): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}
