/** The two kinds of requests that have separate limits without priority and fairness. */
export type RequestKind = "readOnly" | "mutating";

const readOnlyVerbs = new Set(["get", "list", "watch"]);

/** As in Kubernetes, every other verb counts as mutating. */
export function requestKind(verb: string): RequestKind {
  return readOnlyVerbs.has(verb) ? "readOnly" : "mutating";
}
