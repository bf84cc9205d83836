import type { JsonObject } from "../apimachinery/json/json-value.js";
import type { AggregatedVersion } from "../endpoints/discovery/discovery-documents.js";
import type { RemoteAnswer } from "../remote/remote-call.js";
import { aggregatedMediaTypes, isAggregatedAnswer, resourcesIn } from "./extension-discovery.js";
import { RefusedDocument, readExtensionDocument } from "./extension-document.js";

/** The aggregated discovery document that extension servers are asked for. */
export interface DiscoveryToAsk {
  readonly group: string;
  /** In order of preference; none when servers are not asked. */
  readonly versions: readonly AggregatedVersion[];
}

export interface ExtensionDocumentsParts {
  /** What the server serves. */
  readonly served: { readonly group: string; readonly version: string };
  readonly discovery: DiscoveryToAsk;
  /** Rejects when the server does not answer in time, or with a larger body. */
  readonly ask: (
    path: string,
    answerBytesMax: number,
    headers: Record<string, string>,
  ) => Promise<RemoteAnswer>;
}

export interface DocumentsRead {
  /** Whether they changed since they were last read. */
  readonly changed: boolean;
  /** Some could not be read, and the previous ones stay. A server without documents does not fail. */
  readonly failed: boolean;
  /** New documents that are not served, each with the reason. */
  readonly refused?: readonly string[];
}

/** Larger documents are refused. */
const documentBytesMax = 4 * 1024 * 1024;

/** The documents of discovery and OpenAPI of one extension server, as last read. */
export class ExtensionDocuments {
  readonly #parts: ExtensionDocumentsParts;
  #swagger: Document = noDocument;
  #openApi3: Document = noDocument;
  #discovery: Document = noDocument;
  #aggregated: readonly JsonObject[] | undefined;

  constructor(parts: ExtensionDocumentsParts) {
    this.#parts = parts;
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

  /** Reads the documents that changed. Does not reject. */
  async read(): Promise<DocumentsRead> {
    const { group, version } = this.#parts.served;
    const discovery = await this.#readDiscovery();
    const swagger = await this.#read("/openapi/v2", this.#swagger);
    const openApi3 = await this.#read(`/openapi/v3/apis/${group}/${version}`, this.#openApi3);
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

  /** The document of all its groups, which includes this version. A server without it has listed its resources already. */
  async #readDiscovery(): Promise<Omit<DocumentRead, "document"> & { readonly changed: boolean }> {
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
      const { served } = this.#parts;
      const { value } = read.document;
      this.#aggregated = value && resourcesIn(value, served.group, served.version);
    }
    return { ...read, changed };
  }

  /** `isDocument`: whether the answer is the document, as opposed to an error of a server that may have it. */
  async #read(
    path: string,
    known: Document,
    asked: {
      readonly headers: Readonly<Record<string, string>>;
      readonly isDocument: (answer: RemoteAnswer) => boolean;
    } = { headers: {}, isDocument: ({ status }) => status !== 404 },
  ): Promise<DocumentRead> {
    try {
      const headers = { ...asked.headers, ...(known.etag !== undefined && { "If-None-Match": known.etag }) };
      const answer = await this.#parts.ask(path, documentBytesMax, headers);
      if (answer.status === 304) return { document: known, failed: false };
      if (!asked.isDocument(answer))
        return { document: known.value === undefined ? known : noDocument, failed: false };
      if (answer.status !== 200) return { document: known, failed: true };
      const text = answer.body.toString("utf8");
      return text === known.text ? { document: known, failed: false } : await newDocument(path, text, answer);
    } catch {
      return { document: known, failed: true };
    }
  }
}

/** A refused document is remembered without contents, so that it is read and reported only once. */
async function newDocument(path: string, text: string, answer: RemoteAnswer): Promise<DocumentRead> {
  const etag = typeof answer.headers.etag === "string" ? answer.headers.etag : undefined;
  try {
    const value = await readExtensionDocument(answer.body);
    return { document: { etag, text, value }, failed: false };
  } catch (error) {
    if (!(error instanceof RefusedDocument)) throw error;
    const document = { etag, text, value: undefined };
    return { document, failed: false, refused: `${path}: ${error.message}` };
  }
}

interface DocumentRead {
  /** The known document, if it has not changed. */
  readonly document: Document;
  readonly failed: boolean;
  readonly refused?: string;
}

interface Document {
  readonly etag: string | undefined;
  readonly text: string;
  readonly value: JsonObject | undefined;
}

const noDocument: Document = { etag: undefined, text: "", value: undefined };
