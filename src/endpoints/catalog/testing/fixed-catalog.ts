import type { ApiCatalog, ServedGroup, ServedResource } from "../api-catalog.js";

/** A catalog that does not change. */
export function fixedCatalog(groups: readonly ServedGroup[]): ApiCatalog {
  const byKey = new Map<string, ServedResource>();
  for (const { group, versions } of groups) {
    for (const { version, resources } of versions) {
      for (const [resource, served] of resources) byKey.set(`${group}/${version}/${resource}`, served);
    }
  }
  return {
    groups: () => groups,
    group: (name) => groups.find(({ group }) => group === name),
    find: (group, version, resource) => byKey.get(`${group}/${version}/${resource}`),
  };
}
