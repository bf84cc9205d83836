import type { VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import { inTurns } from "../../event-loop/turns.js";
import type { RequestContext } from "../request/request-context.js";
import { type Negotiated, prettyAsked } from "../responses/negotiator.js";
import { mayGrow } from "./growing-body.js";
import type { Lanes } from "./lanes.js";

/** Parsing this many bytes of a schema takes as long as writing one byte of an object. */
const schemaWeightPerByte = 16;
/** Requests with this many checks of an object against its schema (100 ns each) go to a lane. */
const checksMin = 300_000;

/** Decides which requests go to a lane, by sizes that are known in advance. */
export class LargeRequests {
  readonly #catalog: ApiCatalog;
  readonly #lanes: Lanes;
  readonly #bytesMin: number;
  readonly #preparing = new Set<VersionDefinition>();

  /**
   * Requests about more than `bytesMin` bytes are large: their body, the object that they name, or the schema of its kind. So are those
   * with many checks, by their bytes and schema.
   */
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
    if (served?.endpoint === undefined) return false;
    const { version } = served;
    if (version.conversion.hub === true && isSentAsKept(context, negotiated)) return false;
    const { registry } = served.endpoint;
    const objectBytes = info.name === "" ? 0 : (registry.knownSize(info.namespace, info.name) ?? 0);
    const schemaWeight = version.schemaWeight?.() ?? 0;
    const isLarge = Math.max(objectBytes, schemaWeight / schemaWeightPerByte) > this.#bytesMin;
    if (!isLarge && version.checksPerByte === undefined) return false;
    if (isLarge || this.#isPreparing(version)) return true;
    return (body.bytes.length + objectBytes) * (version.checksPerByte?.() ?? 0) > checksMin;
  }

  /** While a large schema is being compiled here, requests go to lanes, which compile their own. */
  #isPreparing(version: VersionDefinition): boolean {
    if (this.#preparing.has(version)) return true;
    const preparation = version.preparation?.();
    if (preparation === undefined) return false;
    this.#preparing.add(version);
    void inTurns(preparation)
      // An error here also occurs in the lane, which reports it.
      .catch(() => undefined)
      .finally(() => this.#preparing.delete(version));
    return true;
  }

  answer(context: RequestContext): Promise<void> {
    return this.#lanes.answer(context);
  }
}

/** Whether the answer is the stored body, unchanged: the requested version is the stored one. */
function isSentAsKept({ info, exchange }: RequestContext, negotiated: Negotiated): boolean {
  if (info.verb !== "get" || negotiated.representation !== "json" || negotiated.transform !== undefined) {
    return false;
  }
  return !negotiated.pretty && !prettyAsked(exchange.query, exchange.headers["user-agent"]);
}
