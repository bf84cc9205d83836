import type { ApiLevel } from "../apimachinery/levels/api-level.js";
import { SchemaRegistry } from "../apimachinery/schema/schema-registry.js";
import type { Naming, ProfileName } from "../naming/naming.js";
import { typePackages } from "./type-packages.js";

const registries = new Map<`${ProfileName} ${ApiLevel | "all"}`, SchemaRegistry>();

/**
 * The types of every group; without a level, those of all levels. Compiled codecs never change, so all servers of a process share them: a
 * second server starts with compiled and optimized codecs.
 */
export function builtinTypes(naming: Naming, level?: ApiLevel): SchemaRegistry {
  const key = `${naming.profile} ${level ?? "all"}` as const;
  let registry = registries.get(key);
  if (registry === undefined) {
    registry = new SchemaRegistry(typePackages, { level, fieldName: (neutral) => naming.field(neutral) });
    registries.set(key, registry);
  }
  return registry;
}
