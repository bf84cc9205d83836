import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import type { RequestContext } from "../request/request-context.js";
import { type Negotiated, prettyAsked } from "../responses/negotiator.js";
import { mayGrow } from "./growing-body.js";
import type { Lanes } from "./lanes.js";

/** So many bytes of a schema take as long to parse as one byte of an object takes to write. */
const schemaWeightPerByte = 16;

/** Decides by sizes that are known before any work which requests a lane answers. */
export class LargeRequests {
  readonly #catalog: ApiCatalog;
  readonly #lanes: Lanes;
  readonly #bytesMin: number;

  /** Requests about more than `bytesMin` bytes are large: their body, the object that they name, or the schema of its kind. */
  constructor(parts: { readonly catalog: ApiCatalog; readonly lanes: Lanes; readonly bytesMin: number }) {
    this.#catalog = parts.catalog;
    this.#lanes = parts.lanes;
    this.#bytesMin = parts.bytesMin;
  }

  includes(context: RequestContext, negotiated: Negotiated): boolean {
    const { info, body } = context;
    if (body.bytes.length > this.#bytesMin || mayGrow(body)) return true;
    if (info.verb === "watch" || info.verb === "list" || info.verb === "deletecollection") return false;
    const served = this.#catalog.find(info.apiGroup, info.apiVersion, info.resource);
    const endpoint = served?.endpoint;
    if (endpoint === undefined) return false;
    const objectBytes = info.name === "" ? 0 : (endpoint.registry.knownSize(info.namespace, info.name) ?? 0);
    const schemaWeight = served?.version.schemaWeight?.() ?? 0;
    if (Math.max(objectBytes, schemaWeight / schemaWeightPerByte) <= this.#bytesMin) return false;
    // The bytes that are kept are sent as they are.
    const isSentAsKept =
      info.verb === "get" && negotiated.representation === "json" && negotiated.transform === undefined;
    const { query, headers } = context.exchange;
    const isPretty = negotiated.pretty || prettyAsked(query, headers["user-agent"]);
    return !isSentAsKept || isPretty || served?.version.conversion.hub !== true;
  }

  answer(context: RequestContext): Promise<void> {
    return this.#lanes.answer(context);
  }
}
