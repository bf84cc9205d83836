import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import type { RequestContext } from "../request/request-context.js";

export type Scope = "" | "cluster" | "namespace" | "resource";

/** Requests to these go on to a node or a pod. */
const connectSubresources: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);
const methods: ReadonlySet<string> = new Set(["DELETE", "GET", "PATCH", "POST", "PUT"]);
const applyType = "application/apply-patch+yaml";

export const mutatingMethods: ReadonlySet<string> = new Set(["DELETE", "PATCH", "POST", "PUT"]);

/** The scope by the path alone. */
export function pathScope(info: RequestInfo): Scope {
  if (info.parts.length > 1 || info.verb === "create") return "resource";
  if (info.namespace !== "") return "namespace";
  return info.isResourceRequest ? "cluster" : "";
}

/** The scope where a field selector of a name counts as the name. */
export function namedScope(info: RequestInfo): Scope {
  return info.name === "" ? pathScope(info) : "resource";
}

/** Whether requests that go on to a node or a pod have the verb CONNECT, not that of their method. */
export function hasConnectVerb(level: ApiLevel): boolean {
  return isAtLeast(level, "1.27");
}

/** The method, but for LIST, WATCH, APPLY and, where there is that verb, CONNECT. */
export function requestVerb({ exchange, info }: RequestContext, scope: Scope, hasConnect: boolean): string {
  const { method } = exchange;
  if (hasConnect && connectSubresources.has(info.subresource)) return "CONNECT";
  if (info.verb === "watch") return "WATCH";
  if (method === "GET" || method === "HEAD")
    return scope === "namespace" || scope === "cluster" ? "LIST" : "GET";
  if (method === "PATCH" && exchange.headers["content-type"] === applyType) return "APPLY";
  return methods.has(method) ? method : "other";
}

/** Whether the answer's size says something: not where it is a stream in both directions, or another server's. */
export function isRead({ exchange, info }: RequestContext): boolean {
  if (mutatingMethods.has(exchange.method)) return false;
  return info.subresource === "log" || !connectSubresources.has(info.subresource);
}

/** Only writes can be dry runs: the parameter of a read makes no series of its own. */
export function dryRunOf({ exchange, query }: RequestContext): string {
  if (!query.has("dryRun") || !mutatingMethods.has(exchange.method)) return "";
  return query.getAll("dryRun").every((value) => value === "All" || value === "") ? "All" : "invalid";
}
