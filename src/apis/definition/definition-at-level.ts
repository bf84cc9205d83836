import {
  type ApiLevel,
  apiLevels,
  atLevel,
  hasLevel,
  minorOf,
  newestLevel,
} from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type {
  ResourceDefinition,
  StorageDefinition,
  SubresourceDefinition,
  VersionDefinition,
} from "./resource-definition.js";
import type { TableColumns } from "./table-columns.js";

/**
 * The resource as it is at one level: the versions, subresources and columns of others are left out. Undefined when the level has none of
 * its versions. `oldestLevel`: the level of the oldest server that must read the stored objects. Default: the level before.
 */
export function definitionAtLevel<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  level: ApiLevel,
  oldestLevel?: ApiLevel,
): ResourceDefinition<T> | undefined {
  if (!hasLevel(definition, level)) return undefined;
  const versions = definition.versions.filter((version) => hasLevel(version, level));
  if (versions.length === 0) return undefined;
  // Strategies work on the hub even where it is not served yet.
  const hub = definition.versions.find(({ conversion }) => conversion.hub);
  return {
    ...definition,
    level,
    versions: versions.map((version) => versionAtLevel(version, level)),
    hub: definition.hub ?? (hub === undefined || hasLevel(hub, level) ? undefined : hub),
    unservedVersions: definition.versions.filter((version) => !hasLevel(version, level)),
    storage: definition.storage && storageFor(definition, definition.storage, level, oldestLevel),
    subresources: subresourcesAtLevel(definition.subresources, level),
    columns: definition.columns && columnsAtLevel(definition.columns, level),
  };
}

function versionAtLevel<T extends ApiObject>(
  version: VersionDefinition<T>,
  level: ApiLevel,
): VersionDefinition<T> {
  const { subresources, columns } = version;
  if (subresources === undefined && columns === undefined) return version;
  // The codec stays an accessor, which looks it up on first use.
  const own: Partial<VersionDefinition<T>> = {
    ...(subresources && { subresources: subresourcesAtLevel(subresources, level) }),
    ...(columns && { columns: columnsAtLevel(columns, level) }),
  };
  return Object.create(version, Object.getOwnPropertyDescriptors(own));
}

/**
 * The storage version: one that the previous level can read. If `oldestLevel` is another level, the version that the level after it
 * stores.
 */
function storageFor<T extends ApiObject>(
  { versions }: ResourceDefinition<T>,
  { before, version, ...storage }: StorageDefinition,
  level: ApiLevel,
  oldestLevel: ApiLevel | undefined,
): StorageDefinition {
  const newestForm: Pick<StorageDefinition, "version" | "hashedVersion"> = { version };
  const at = (of: ApiLevel) => ({ ...storage, ...atLevel(newestForm, before, of) });
  const own = at(level);
  if (oldestLevel === undefined) return own;
  const next = apiLevels.find((one) => minorOf(one) === minorOf(oldestLevel) + 1);
  const newest = versions.find(({ conversion, since }) => conversion.hub && since === newestLevel);
  const asked = next === undefined ? { ...storage, version: newest?.version ?? version } : at(next);
  // Falls back to this level's storage version if this level does not have that one.
  const known = versions.find((one) => one.version === asked.version);
  return known !== undefined && hasLevel(known, level) ? asked : own;
}

function subresourcesAtLevel<T extends ApiObject>(
  subresources: readonly SubresourceDefinition<T>[],
  level: ApiLevel,
): readonly SubresourceDefinition<T>[] {
  return subresources.filter((subresource) => hasLevel(subresource, level));
}

function columnsAtLevel<T>(table: TableColumns<T>, level: ApiLevel): TableColumns<T> {
  if (table.columns.every((column) => hasLevel(column, level))) return table;
  const kept = table.columns.map((column) => hasLevel(column, level));
  return {
    ...table,
    columns: table.columns.filter((_, index) => kept[index]),
    cells: (object, now) => table.cells(object, now).filter((_, index) => kept[index]),
  };
}
