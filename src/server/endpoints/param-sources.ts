import type { ParamSource, PolicyCluster } from "../../admission/policies/policy-cluster.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { jsonWithType } from "../../apimachinery/objects/json-with-type.js";
import type { ApiObject, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { ControllerContext } from "../../controllers/controller.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { createVersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";

/** No request ends such a conversion, because its result is cached. */
const scope = { signal: new AbortController().signal };

/**
 * Resolves the resources of policy parameters. Objects are read from the cache that serves the resource, so that a parameter takes effect
 * as soon as it is stored. Resources change with the catalog.
 */
export function paramSources({
  registries,
  onRegistries,
}: Pick<ControllerContext, "registries" | "onRegistries">): PolicyCluster["params"] {
  const kept = new Map<string, ParamSource>();
  let isSubscribed = false;
  return (kind) => {
    if (!isSubscribed) {
      isSubscribed = true;
      onRegistries(() => kept.clear());
    }
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    let source = kept.get(key);
    if (source === undefined) {
      source = paramSource(kind, registries());
      if (source !== undefined) kept.set(key, source);
    }
    return source;
  };
}

function paramSource(
  { group, version, kind }: GroupVersionKind,
  registries: Iterable<ResourceRegistry>,
): ParamSource | undefined {
  for (const registry of registries) {
    const { definition } = registry;
    if (definition.group !== group || definition.kind !== kind) continue;
    const served = definition.versions.find((one) => one.version === version);
    if (served === undefined) continue;
    const view = createVersionedView(definition, served);
    const shown = new WeakMap<StoredObject<object>, JsonObject>();
    const jsonOf = async (stored: StoredObject<ApiObject>): Promise<JsonObject> => {
      const known = shown.get(stored);
      if (known !== undefined) return known;
      const json = jsonWithType(await view.fromHub(stored.decode(), scope), view.typeMeta);
      shown.set(stored, json);
      return json;
    };
    return {
      namespaced: definition.namespaced,
      async get(namespace, name) {
        const found = await registry.find(namespace, name, { kind: "any" });
        return found && (await jsonOf(found));
      },
      async select(namespace, selector) {
        const prefix = definition.namespaced ? `${namespace}/` : "";
        const { items } = await registry.list({ prefix, at: { kind: "any" }, limit: 0 });
        const selected = items.filter(({ labels }) => selector.matches(labels));
        return Promise.all(selected.map((stored) => jsonOf(stored)));
      },
    };
  }
  return undefined;
}
