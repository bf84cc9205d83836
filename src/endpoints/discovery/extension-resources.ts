import type { JsonObject } from "../../apimachinery/json/json-value.js";

/** Converts another server's `APIResourceList` to the form of the aggregated document. */
export function extensionResources(listed: readonly JsonObject[]): JsonObject[] {
  const kindOf = (entry: JsonObject): JsonObject => ({
    group: text(entry.group),
    version: text(entry.version),
    kind: text(entry.kind),
  });
  const resources = listed.filter(({ name }) => text(name) !== "" && !text(name).includes("/"));
  return resources.map((entry) => {
    const prefix = `${text(entry.name)}/`;
    const subresources = listed.filter(({ name }) => text(name).startsWith(prefix));
    return {
      resource: text(entry.name),
      responseKind: kindOf(entry),
      scope: entry.namespaced === true ? "Namespaced" : "Cluster",
      singularResource: text(entry.singularName),
      verbs: entry.verbs ?? [],
      ...(Array.isArray(entry.shortNames) && { shortNames: entry.shortNames }),
      ...(Array.isArray(entry.categories) && { categories: entry.categories }),
      ...(subresources.length > 0 && {
        subresources: subresources.map((subresource) => ({
          subresource: text(subresource.name).slice(prefix.length),
          responseKind: kindOf(subresource),
          verbs: subresource.verbs ?? [],
        })),
      }),
    };
  });
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
