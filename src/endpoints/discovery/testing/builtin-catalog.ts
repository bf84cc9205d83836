import { builtinResources } from "../../../apis/builtin-resources.js";
import type { ApiContext } from "../../../apis/definition/api-context.js";
import { groupOrder } from "../../../apis/group-order.js";
import type { ApiCatalog, ServedResource, ServedVersion } from "../../catalog/api-catalog.js";
import { fixedCatalog } from "../../catalog/testing/fixed-catalog.js";

/** Every built-in resource in every version, without stores. */
export function builtinCatalog(context: ApiContext): ApiCatalog {
  const definitions = builtinResources(context);
  const served = (group: string, version: string): ServedVersion => {
    const resources = new Map<string, ServedResource>();
    for (const definition of definitions.filter((candidate) => candidate.group === group)) {
      const found = definition.versions.find((candidate) => candidate.version === version);
      if (found === undefined) continue;
      resources.set(definition.resource, {
        definition,
        version: found,
        endpoint: undefined,
        operations: new Map(),
      });
    }
    return { version, resources };
  };
  return fixedCatalog(
    groupOrder(context.naming, context.level)
      .map(({ group, versions }) => ({
        group,
        versions: versions.map((version) => served(group, version)).filter((v) => v.resources.size > 0),
      }))
      .filter(({ versions }) => versions.length > 0),
  );
}
