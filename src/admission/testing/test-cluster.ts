import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { jsonWithType } from "../../apimachinery/objects/json-with-type.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import {
  type BuiltinObjects,
  type BuiltinResource,
  builtinResourceName,
} from "../../apis/builtin-objects.js";
import { builtinResources } from "../../apis/builtin-resources.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import type { Lister } from "../../informers/informer.js";
import { InformerIndex } from "../../informers/informer-index.js";
import { createVersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { ClusterData, ViewOptions } from "../plugins/plugin-context.js";

function makeKinds(level: ApiLevel) {
  const context = testApiContext({ level });
  return { context, definitions: builtinResources(context) };
}

export type Kinds = ReturnType<typeof makeKinds>;

const kindsByLevel = new Map<ApiLevel, Kinds>();

/** Shared by the tests of a process: making them takes long. */
export function kindsOf(level: ApiLevel): Kinds {
  const kinds = kindsByLevel.get(level) ?? makeKinds(level);
  kindsByLevel.set(level, kinds);
  return kinds;
}

export interface TestClusterParts {
  readonly kinds: Kinds;
  /** Objects known to the listers, by resource, as JSON of the hub version. */
  readonly known: Readonly<Record<string, readonly object[]>>;
  /** Objects only in the store. */
  readonly unheard: Readonly<Record<string, readonly object[]>>;
  readonly params: ClusterData["params"] | undefined;
  /** Receives the objects that plugins create. */
  readonly created: ApiObject[];
  /** Receives the objects whose status plugins write, by name. */
  readonly updated: Map<string, ApiObject>;
}

/** The lookups of plugins, over the objects of a test. */
export function testCluster(parts: TestClusterParts): ClusterData {
  const { kinds, known, unheard, params, created, updated } = parts;
  const cluster: ClusterData = {
    follow: (of, options) => listerOf(kinds, of, known[resourceOf(of)] ?? [], options),
    read: async (of, namespace, name) =>
      [...(known[resourceOf(of)] ?? []), ...(unheard[resourceOf(of)] ?? [])]
        .map((object) => decodedBuiltin(kinds, of, object, namespace))
        .find((object) => object.metadata.name === name && (object.metadata.namespace ?? "") === namespace),
    list: async (of, namespace) =>
      (known[resourceOf(of)] ?? []).map(
        // The part of a stored object that plugins use.
        (object) => ({ decode: () => decodedBuiltin(kinds, of, object, namespace) }) as StoredObject<never>,
      ),
    resourcesOf: ({ group, version, kind }) =>
      kinds.definitions
        .filter((found) => found.group === group && found.kind === kind)
        .filter(({ versions }) => versions.some((served) => served.version === version)),
    namespaceObject: async (name) => {
      const found = await cluster.read("namespaces", "", name);
      return found === undefined ? null : jsonWithType(found, { kind: "Namespace", apiVersion: "v1" });
    },
    params: (kind) => params?.(kind),
    create: async (_of, _namespace, object) => void created.push(object),
    updateStatus: async (of, namespace, name, change) => {
      const object = updated.get(name) ?? (await cluster.read(of, namespace, name));
      if (object === undefined) return;
      change(object as BuiltinObjects[typeof of]); // a test updates objects of one resource
      updated.set(name, object);
    },
  };
  return cluster;
}

export function definitionOf({ definitions }: Kinds, resource: string) {
  const definition = definitions.find((candidate) => candidate.resource === resource);
  if (definition === undefined) throw new Error(`no resource ${resource}`);
  return definition;
}

/** Decoded and defaulted in the hub version. */
export function decoded(kinds: Kinds, resource: string, json: object, namespace: string): ApiObject {
  const definition = definitionOf(kinds, resource);
  const versions = [...definition.versions, ...(definition.unservedVersions ?? [])];
  const version = versions.find(({ conversion }) => conversion.hub);
  if (version === undefined) throw new Error(`${resource} has no hub version`);
  const plain = JSON.parse(JSON.stringify(json)) as { metadata?: object };
  const metadata = { ...(namespace !== "" && { namespace }), ...plain.metadata };
  return createVersionedView(definition, version).fromJson({ ...plain, metadata } as never);
}

function resourceOf(of: BuiltinResource): string {
  return builtinResourceName(of, (stem) => stem).resource;
}

function decodedBuiltin<R extends BuiltinResource>(
  kinds: Kinds,
  of: R,
  json: object,
  namespace: string,
): BuiltinObjects[R] {
  return decoded(kinds, resourceOf(of), json, namespace) as BuiltinObjects[R]; // of the definition's type
}

function listerOf<R extends BuiltinResource, V, I extends string>(
  kinds: Kinds,
  of: R,
  objects: readonly object[],
  { view, indexes }: ViewOptions<BuiltinObjects[R], V, I>,
): Lister<V, I> {
  const { namespaced } = definitionOf(kinds, resourceOf(of));
  const entries = objects.map((json): [string, V] => {
    const object = decodedBuiltin(kinds, of, json, namespaced ? "ns" : "");
    const { name = "", namespace = "" } = object.metadata;
    const key = namespaced ? `${namespace}/${name}` : name;
    const stored = { key, decode: () => decodedBuiltin(kinds, of, object, "") };
    return [key, view(stored as StoredObject<BuiltinObjects[R]>)];
  });
  const values = new Map(entries);
  const byName = new Map(
    Object.entries<(value: V, key: string) => readonly string[]>(indexes ?? {}).map(([name, textsOf]) => {
      const index = new InformerIndex(textsOf);
      for (const [key, value] of values) index.set(key, value);
      return [name, index] as const;
    }),
  );
  return {
    hasSynced: true,
    size: values.size,
    get: (key) => values.get(key),
    values: () => values.values(),
    find: (index, text) => byName.get(index)?.find(text) ?? [],
  };
}
