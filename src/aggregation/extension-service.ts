import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { parseJson } from "../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonObject } from "../apimachinery/json/json-value.js";
import type { APIServiceSpec } from "../apis/gen/apiregistration-v1.js";
import type { ExtensionServer } from "../endpoints/catalog/extension-server.js";
import type { ConnectTarget } from "../endpoints/connect/connect-result.js";
import type { AggregatedVersion } from "../endpoints/discovery/discovery-documents.js";
import { PassingClient } from "../remote/passing-client.js";
import type { RemoteAnswer } from "../remote/remote-call.js";
import { type Dial, RemoteClient, type RemoteClientOptions } from "../remote/remote-client.js";
import { aggregatedMediaTypes, isAggregatedAnswer, resourcesIn } from "./extension-discovery.js";
import { RefusedDocument, readExtensionDocument } from "./extension-document.js";
import type { ServiceAddresses } from "./service-addresses.js";
import type { Address } from "./service-backends.js";

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
  /** The aggregated discovery document that servers are asked for. */
  readonly discovery: {
    readonly group: string;
    /** In order of preference; none when servers are not asked. */
    readonly versions: readonly AggregatedVersion[];
  };
  /** Whether a failed check closes the connection, so that the next one opens another. */
  readonly disconnectsAfterFailure: boolean;
}

/** The `Available` condition of an API service, as of a check. */
export interface Availability {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

export interface DocumentsRead {
  /** Whether they changed since they were last read. */
  readonly changed: boolean;
  /** Some could not be read, and the previous ones stay. A server without documents does not fail. */
  readonly failed: boolean;
  /** New documents that are not served, each with the reason. */
  readonly refused?: readonly string[];
}

const checkTimeoutMs = 5000;
/** Packets to an unrouted service address may vanish, so the endpoints are tried in parallel. */
const serviceAddressHeadStartMs = 500;
const discoveryBytesMax = 1024 * 1024;
/** Larger documents are refused. */
const documentBytesMax = 4 * 1024 * 1024;
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
  #addresses: { readonly service: Address | undefined; readonly endpoints: readonly Address[] } = {
    service: undefined,
    endpoints: [],
  };
  /** Whether the service's cluster IP can be reached; unknown until the first attempt. */
  #isServiceRouted: boolean | undefined;
  #available = false;
  #resources: readonly JsonObject[] = [];
  #resourcesText = "";
  #swagger: Document = { etag: undefined, text: "", value: undefined };
  #openApi3: Document = { etag: undefined, text: "", value: undefined };
  #discovery: Document = noDocument;
  #aggregated: readonly JsonObject[] | undefined;

  constructor(parts: ExtensionServiceParts) {
    const { spec, certificate } = parts;
    const { name = "", namespace = "" } = spec.service ?? {};
    this.#parts = parts;
    this.#serverName = `${name}.${namespace}.svc`;
    this.#path = `/apis/${spec.group ?? ""}/${spec.version ?? ""}`;
    this.#caPem =
      (spec.caBundle ?? "") === "" ? undefined : Buffer.from(spec.caBundle ?? "", "base64").toString("utf8");
    const dial: Dial = (_target, signal) => this.#dial(signal);
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
    return this.#aggregated;
  }

  get swagger(): JsonObject | undefined {
    return this.#swagger.value;
  }

  get openApi3(): Uint8Array | undefined {
    return this.#openApi3.value === undefined ? undefined : Buffer.from(this.#openApi3.text);
  }

  target(): ConnectTarget | undefined {
    if (!this.#available) return undefined;
    const address = this.#chosenAddress();
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
  async readDocuments(): Promise<DocumentsRead> {
    const discovery = await this.#readDiscovery();
    const swagger = await this.#read("/openapi/v2", this.#swagger);
    const openApi3 = await this.#read(`/openapi/v3${this.#path}`, this.#openApi3);
    const changed =
      discovery.changed || swagger.document !== this.#swagger || openApi3.document !== this.#openApi3;
    this.#swagger = swagger.document;
    this.#openApi3 = openApi3.document;
    const refused = [discovery, swagger, openApi3].flatMap((read) => read.refused ?? []);
    return {
      changed,
      failed: discovery.failed || swagger.failed || openApi3.failed,
      ...(refused.length > 0 && { refused }),
    };
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
    this.#addresses = addresses;
    const where = this.#chosenAddress();
    const url = `https://${where === undefined ? this.#serverName : authorityOf(where)}${this.#path}`;
    const failed = (message: string): Availability => ({
      status: "False",
      reason: "FailedDiscoveryCheck",
      message,
    });
    let answer: RemoteAnswer;
    try {
      answer = await this.#ask(this.#path, discoveryBytesMax, {});
    } catch (error) {
      this.#isServiceRouted = undefined;
      return failed(
        `failing or missing response from ${url}: ${error instanceof Error ? error.message : error}`,
      );
    }
    if (answer.status < 200 || answer.status > 299) {
      // A healthy server may refuse discovery to everyone.
      if (answer.status !== 403 && answer.status !== 401)
        return failed(`failing or missing response from ${url}: bad status from ${url}: ${answer.status}`);
    } else {
      this.#takeResources(answer.body.toString("utf8"));
    }
    return { status: "True", reason: "Passed", message: "all checks passed" };
  }

  #takeResources(text: string): void {
    if (text === this.#resourcesText) return;
    const list = parseObject(text);
    this.#resourcesText = text;
    this.#resources = Array.isArray(list?.resources) ? list.resources.filter(isJsonObject) : [];
  }

  /** The document of all its groups, which includes this version. A server without it has listed its resources already. */
  async #readDiscovery(): Promise<{
    readonly changed: boolean;
    readonly failed: boolean;
    readonly refused?: string;
  }> {
    const { group, versions } = this.#parts.discovery;
    if (versions.length === 0) return { changed: false, failed: false };
    const known = this.#discovery;
    const read = await this.#read("/apis", known, {
      headers: { Accept: aggregatedMediaTypes(group, versions) },
      isDocument: ({ status, headers }) =>
        status === 503 || (status === 200 && isAggregatedAnswer(headers["content-type"], versions)),
    });
    this.#discovery = read.document;
    const changed = read.document !== known;
    if (changed) {
      const { spec } = this.#parts;
      const { value } = read.document;
      this.#aggregated = value && resourcesIn(value, spec.group ?? "", spec.version ?? "");
    }
    return { ...read, changed };
  }

  /** `isDocument`: whether an answer is the document, or an error of a server that may have it. */
  async #read(
    path: string,
    known: Document,
    asked: {
      readonly headers: Readonly<Record<string, string>>;
      readonly isDocument: (answer: RemoteAnswer) => boolean;
    } = { headers: {}, isDocument: ({ status }) => status !== 404 },
  ): Promise<{ readonly document: Document; readonly failed: boolean; readonly refused?: string }> {
    try {
      const headers = { ...asked.headers, ...(known.etag !== undefined && { "If-None-Match": known.etag }) };
      const answer = await this.#ask(path, documentBytesMax, headers);
      if (answer.status === 304) return { document: known, failed: false };
      if (!asked.isDocument(answer))
        return { document: known.value === undefined ? known : noDocument, failed: false };
      if (answer.status !== 200) return { document: known, failed: true };
      const text = answer.body.toString("utf8");
      if (text === known.text) return { document: known, failed: false };
      const etag = typeof answer.headers.etag === "string" ? answer.headers.etag : undefined;
      try {
        const value = await readExtensionDocument(answer.body);
        return { document: { etag, text, value }, failed: false };
      } catch (error) {
        if (!(error instanceof RefusedDocument)) throw error;
        // Remembered without contents, so that it is read and reported only once.
        const document = { etag, text, value: undefined };
        return { document, failed: false, refused: `${path}: ${error.message}` };
      }
    } catch {
      return { document: known, failed: true };
    }
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

  #chosenAddress(): Address | undefined {
    const { service, endpoints } = this.#addresses;
    const { toEndpoints, random } = this.#parts;
    const useService = service !== undefined && !toEndpoints && this.#isServiceRouted !== false;
    if (useService || endpoints.length === 0) return service;
    return endpoints[Math.floor(random() * endpoints.length)];
  }

  /** Connects to the service's own address, or to an endpoint if that is not routed. */
  async #dial(signal: AbortSignal): Promise<Duplex> {
    const { service, endpoints } = this.#addresses;
    const first = this.#chosenAddress();
    if (first === undefined) throw new Error(`no address of ${this.#serverName} is known`);
    const { dial } = this.#parts;
    if (first !== service || endpoints.length === 0 || this.#isServiceRouted === true) {
      return await dial(first, signal);
    }
    const endpoint = endpoints[Math.floor(this.#parts.random() * endpoints.length)] ?? first;
    const losing = new AbortController();
    const attempt = async (address: Address, routed: boolean): Promise<Duplex> => {
      const connection = await dial(address, AbortSignal.any([signal, losing.signal]));
      if (losing.signal.aborted) {
        connection.destroy();
        throw new Error("another connection was faster");
      }
      losing.abort();
      this.#isServiceRouted = routed;
      return connection;
    };
    const toService = attempt(first, true);
    const beside = Promise.race([
      toService.then(
        () => undefined,
        () => undefined,
      ),
      new Promise<void>((resolve) => setTimeout(resolve, serviceAddressHeadStartMs).unref()),
    ]).then(() => attempt(endpoint, false));
    try {
      return await Promise.any([toService, beside]);
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    }
  }
}

interface Document {
  readonly etag: string | undefined;
  readonly text: string;
  readonly value: JsonObject | undefined;
}

const noDocument: Document = { etag: undefined, text: "", value: undefined };

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
