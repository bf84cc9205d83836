import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import type { Distribution } from "../../telemetry/distribution.js";
import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Figure } from "../../telemetry/metric-family.js";
import type { RequestContext } from "../request/request-context.js";

export type Scope = "" | "cluster" | "namespace" | "resource";

interface Measures {
  readonly duration: Distribution;
  readonly ownDuration: Distribution | undefined;
  readonly size: Distribution | undefined;
}

interface RequestCountsParts {
  readonly withCode: (code: number) => Figure;
  readonly measures: () => Measures;
  readonly longRunning: Figure;
}

/** Counters of requests that differ only in their status codes. */
export class RequestCounts {
  readonly longRunning: Figure;
  readonly #make: RequestCountsParts;
  readonly #byCode = new Map<number, Figure>();
  #measures: Measures | undefined;

  constructor(parts: RequestCountsParts) {
    this.#make = parts;
    this.longRunning = parts.longRunning;
  }

  withCode(code: number): Figure {
    return entryOf(this.#byCode, code, () => this.#make.withCode(code));
  }

  /** Undefined when there are none yet and `make` is false. */
  measures(make: boolean): Measures | undefined {
    if (make) this.#measures ??= this.#make.measures();
    return this.#measures;
  }
}

/** A resource, a subresource or another path, with the counters of its requests. */
export class Target {
  readonly children = new MetricChildren();
  readonly #make: (context: RequestContext, scope: Scope, children: MetricChildren) => RequestCounts;
  readonly #counts = new Map<string, Map<Scope, RequestCounts>>();
  readonly #dryRuns = new Map<string, RequestCounts>();

  constructor(make: (context: RequestContext, scope: Scope, children: MetricChildren) => RequestCounts) {
    this.#make = make;
  }

  countsOf(context: RequestContext): RequestCounts {
    const verb = requestVerb(context);
    const scope = scopeOf(context.info);
    const dryRun = dryRunOf(context);
    if (dryRun !== "") {
      return entryOf(this.#dryRuns, `${verb} ${scope} ${dryRun}`, () =>
        this.#make(context, scope, this.children),
      );
    }
    const byScope = entryOf(this.#counts, verb, () => new Map<Scope, RequestCounts>());
    return entryOf(byScope, scope, () => this.#make(context, scope, this.children));
  }
}

/** The method, but for LIST, WATCH and APPLY. */
export function requestVerb({ exchange, info }: RequestContext): string {
  const { method } = exchange;
  if (info.verb === "watch") return "WATCH";
  if (method === "GET" || method === "HEAD")
    return info.isResourceRequest && info.name === "" ? "LIST" : "GET";
  if (method === "PATCH" && exchange.headers["content-type"] === applyType) return "APPLY";
  return methods.has(method) ? method : "other";
}

export function scopeOf(info: RequestInfo): Scope {
  if (info.name !== "" || info.verb === "create") return "resource";
  if (info.namespace !== "") return "namespace";
  return info.isResourceRequest ? "cluster" : "";
}

/** Only writes can be dry runs: the parameter of a read makes no series of its own. */
export function dryRunOf({ exchange, query }: RequestContext): string {
  if (!query.has("dryRun") || !mutatingMethods.has(exchange.method)) return "";
  return query.getAll("dryRun").every((value) => value === "All" || value === "") ? "All" : "invalid";
}

export function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = make();
    map.set(key, entry);
  }
  return entry;
}

export const methods: ReadonlySet<string> = new Set(["DELETE", "GET", "PATCH", "POST", "PUT"]);
export const mutatingMethods: ReadonlySet<string> = new Set(["DELETE", "PATCH", "POST", "PUT"]);
export const applyType = "application/apply-patch+yaml";
