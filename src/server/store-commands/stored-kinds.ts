import { type ApiLevel, newestLevel } from "../../apimachinery/levels/api-level.js";
import { type ApiObject, parseApiVersion } from "../../apimachinery/objects/meta.js";
import type { Codec, TypeMeta } from "../../apimachinery/schema/codec.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { resourcesOfAllLevels } from "../../apis/builtin-resources.js";
import { builtinTypes } from "../../apis/builtin-types.js";
import type { ApiContext } from "../../apis/definition/api-context.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import { createNaming, type Naming, profileNames } from "../../naming/naming.js";

/** What the server knows about the type that a stored value names. */
export type StoredKind =
  | { readonly kind: "built-in"; readonly codec: Codec<ApiObject> }
  /** A group of a third party: a custom resource, stored as JSON. */
  | { readonly kind: "custom" }
  /** A built-in group without such a kind or version. */
  | { readonly kind: "unknown" };

/** All types that a server may store, in every version and by the names of either profile. */
export class StoredKinds {
  readonly #profiles: readonly ProfileKinds[];

  /** Tries the types of `naming`'s profile first. With a `level`, types have the fields of that level, otherwise all. */
  constructor(naming: Naming, level?: ApiLevel) {
    this.#profiles = bothNamings(naming).map((each) => new ProfileKinds(contextOf(each, level)));
  }

  find(typeMeta: TypeMeta): StoredKind {
    let hasGroup = false;
    for (const profile of this.#profiles) {
      const codec = profile.codec(typeMeta);
      if (codec !== undefined) return { kind: "built-in", codec };
      hasGroup ||= profile.hasGroup(typeMeta.apiVersion);
    }
    return { kind: hasGroup ? "unknown" : "custom" };
  }
}

/** `naming`, and the other profile's. */
export function bothNamings(naming: Naming): readonly Naming[] {
  const others = profileNames.filter((name) => name !== naming.profile);
  return [naming, ...others.map((name) => createNaming(name))];
}

/** For decoding only, so it lacks what validation needs. */
export function contextOf(
  naming: Naming,
  level?: ApiLevel,
): ApiContext & { readonly schemas: SchemaRegistry } {
  return {
    naming,
    level: level ?? newestLevel,
    schemas: builtinTypes(naming, level),
    isEnabled: () => true,
    options: { allowPrivileged: true, eventTtlSeconds: 0 },
    now: () => new Date(),
  };
}

class ProfileKinds {
  readonly #naming: Naming;
  readonly #schemas: SchemaRegistry;
  readonly #definitions: readonly ResourceDefinition[];

  constructor(context: ApiContext & { readonly schemas: SchemaRegistry }) {
    this.#naming = context.naming;
    this.#schemas = context.schemas;
    this.#definitions = resourcesOfAllLevels(context);
  }

  codec({ apiVersion, kind }: TypeMeta): Codec<ApiObject> | undefined {
    const named = parseApiVersion(apiVersion);
    if (named === undefined) return undefined;
    const { group, version } = named;
    // At some level, a kind may have been redefined with versions that have nothing in common with earlier ones.
    for (const definition of this.#definitions) {
      if (definition.group !== group || definition.kind !== kind) continue;
      const found = definition.versions.find((v) => v.version === version)?.codec;
      if (found !== undefined) return found;
    }
    // Stored objects that are not resources, such as the allocations of service addresses.
    const name = `${this.#packageOf(group)}/${version}.${kind}`;
    return this.#schemas.has(name) ? this.#schemas.codec<ApiObject>(name) : undefined;
  }

  hasGroup(apiVersion: string): boolean {
    const group = parseApiVersion(apiVersion)?.group;
    return group === "" || this.#definitions.some((definition) => definition.group === group);
  }

  #packageOf(group: string): string {
    return group === "" ? "core" : (this.#naming.groupStem(group).split(".")[0] ?? "");
  }
}
