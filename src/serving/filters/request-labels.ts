import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import type { RequestContext } from "../request/request-context.js";

export type Scope = "" | "cluster" | "namespace" | "resource";

/** Subresources whose requests are forwarded to a node or a pod. */
const connectSubresources: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);
const methods: ReadonlySet<string> = new Set(["DELETE", "GET", "PATCH", "POST", "PUT"]);
const applyType = "application/apply-patch+yaml";

export const mutatingMethods: ReadonlySet<string> = new Set(["DELETE", "PATCH", "POST", "PUT"]);

/** The scope according to the path alone. */
export function pathScope(info: RequestInfo): Scope {
  if (info.parts.length > 1 || info.verb === "create") return "resource";
  if (info.namespace !== "") return "namespace";
  return info.isResourceRequest ? "cluster" : "";
}

/** The scope where a field selector on the name counts as a name. */
export function namedScope(info: RequestInfo): Scope {
  return info.name === "" ? pathScope(info) : "resource";
}

/** Whether the verb of requests that are forwarded to a node or pod is CONNECT instead of their method. */
export function hasConnectVerb(level: ApiLevel): boolean {
  return isAtLeast(level, "1.27");
}

/** The method, or LIST, WATCH, APPLY, or CONNECT at levels that have it. */
export function requestVerb({ exchange, info }: RequestContext, scope: Scope, hasConnect: boolean): string {
  const { method } = exchange;
  if (hasConnect && connectSubresources.has(info.subresource)) return "CONNECT";
  if (info.verb === "watch") return "WATCH";
  if (method === "GET" || method === "HEAD")
    return scope === "namespace" || scope === "cluster" ? "LIST" : "GET";
  if (method === "PATCH" && exchange.headers["content-type"] === applyType) return "APPLY";
  return methods.has(method) ? method : "other";
}

/** Whether the size of the answer is measured: not for streams in both directions, nor for another server's answers. */
export function isRead({ exchange, info }: RequestContext): boolean {
  if (mutatingMethods.has(exchange.method)) return false;
  return info.subresource === "log" || !connectSubresources.has(info.subresource);
}

/** Only writes can be dry runs, so the parameter of a read does not create a series. */
export function dryRunOf({ exchange, query }: RequestContext): string {
  if (!query.has("dryRun") || !mutatingMethods.has(exchange.method)) return "";
  return query.getAll("dryRun").every((value) => value === "All" || value === "") ? "All" : "invalid";
}
