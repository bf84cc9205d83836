import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import { parseFieldSelector } from "../../apimachinery/selectors/field-selector.js";
import { isValidPathSegmentName } from "../../apimachinery/validation/object-name.js";
import type { QueryParameters } from "../../request/query-parameters.js";

/** Subresources of a namespace; any other second segment below `namespaces/NAME` is a resource in it. */
const namespaceSubresources = new Set(["status", "finalize"]);

/** The verb of each method on a resource path; for some it also depends on whether the path names one object. */
const verbOfMethod: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/**
 * Reads the attributes of a request from method, decoded path segments and query. Never throws: any path that is not a resource path
 * is a non-resource request.
 */
export function requestInfoOf(method: string, path: string, query: QueryParameters): RequestInfo {
  // Every request is parsed here, so the path is read once and only copies that are kept are made.
  const segments = segmentsOf(path);
  const [prefix] = segments;
  if (prefix !== "api" && prefix !== "apis") return nonResourceInfo(method, path);
  let at = prefix === "api" ? 2 : 3;
  if (segments.length <= at) return nonResourceInfo(method, path);
  const apiGroup = prefix === "api" ? "" : (segments[1] ?? "");
  const apiVersion = segments[at - 1] ?? "";

  const leadingVerb = leadingVerbOf(segments[at]);
  if (leadingVerb !== undefined) at++;
  if (segments.length <= at) return nonResourceInfo(method, path);

  let namespace = "";
  if (segments[at] === "namespaces" && segments.length - at > 1) {
    namespace = segments[at + 1] ?? "";
    // `namespaces/NAME/pods` is about pods; `namespaces/NAME` and `namespaces/NAME/status` about the namespace.
    if (segments.length - at > 2 && !namespaceSubresources.has(segments[at + 2] ?? "")) at += 2;
  }
  const parts = segments.slice(at);
  const [resource = "", named = "", subresource = ""] = parts;
  const verb =
    leadingVerb === undefined
      ? verbOf(method, named, subresource, query)
      : verbAfter(leadingVerb, verbOfMethod[method]);
  const mayBeSelected = leadingVerb === undefined && (verb === "list" || verb === "watch");
  const name = named === "" && mayBeSelected ? selectedName(query) : named;

  return {
    isResourceRequest: true,
    path,
    verb,
    apiPrefix: prefix,
    apiGroup,
    apiVersion,
    namespace,
    resource,
    subresource,
    name,
    parts,
  };
}

/** Kubernetes' deprecated form: the verb precedes the resource. */
type LeadingVerb = "watch" | "proxy";

function leadingVerbOf(segment: string | undefined): LeadingVerb | undefined {
  return segment === "watch" || segment === "proxy" ? segment : undefined;
}

/** A watch needs a method that reads. */
function verbAfter(leading: LeadingVerb, verb: string | undefined): string {
  return leading === "watch" && verb !== "get" ? "" : leading;
}

function verbOf(method: string, named: string, subresource: string, query: QueryParameters): string {
  const verb = verbOfMethod[method] ?? "";
  if (named === "" && verb === "delete") return "deletecollection";
  if (verb !== "get") return verb;
  // A get with `watch=1` watches one object; Kubernetes answers it as a get.
  if ((named === "" || subresource === "") && wantsWatch(query)) return "watch";
  return named === "" ? "list" : "get";
}

/** `/apis/GROUP/VERSION/watch/namespaces/NAMESPACE/RESOURCE/NAME/SUBRESOURCE` has nine segments; more may follow only in a proxied path. */
const segmentsMax = 12;

/**
 * The segments between slashes, without leading and trailing slashes. As in Kubernetes, empty segments in between count. The last of
 * `segmentsMax` contains the rest, because a path may have a million.
 */
function segmentsOf(path: string): readonly string[] {
  let start = 0;
  while (path[start] === "/") start++;
  let end = path.length;
  while (end > start && path[end - 1] === "/") end--;
  const segments: string[] = [];
  while (segments.length < segmentsMax - 1) {
    const slash = path.indexOf("/", start);
    if (slash < 0 || slash >= end) break;
    segments.push(path.slice(start, slash));
    start = slash + 1;
  }
  segments.push(path.slice(start, end));
  return segments;
}

/** A request for a path that is no resource. */
export function nonResourceInfo(method: string, path: string): RequestInfo {
  return {
    isResourceRequest: false,
    path,
    verb: method.toLowerCase(),
    apiPrefix: "",
    apiGroup: "",
    apiVersion: "",
    namespace: "",
    resource: "",
    subresource: "",
    name: "",
    parts: [],
  };
}

/**
 * The single name that the field selector of a list or watch requires: so a user who may only read that object can list it. Invalid
 * selectors are refused later.
 */
function selectedName(query: QueryParameters): string {
  const text = query.get("fieldSelector");
  if (text === null || !text.includes("metadata.name")) return "";
  try {
    const name = parseFieldSelector(text).exactValue("metadata.name") ?? "";
    return isValidPathSegmentName(name).length === 0 ? name : "";
  } catch {
    return "";
  }
}

function wantsWatch(query: QueryParameters): boolean {
  const value = query.get("watch");
  return value !== null && value.toLowerCase() !== "false" && value !== "0";
}
