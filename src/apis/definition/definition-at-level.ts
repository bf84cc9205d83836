import { type ApiLevel, atLevel, hasLevel } from "../../apimachinery/levels/api-level.js";
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
 * its versions.
 */
export function definitionAtLevel<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  level: ApiLevel,
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
    storage: definition.storage && storageAtLevel(definition.storage, level),
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

function storageAtLevel(
  { before, version, ...storage }: StorageDefinition,
  level: ApiLevel,
): StorageDefinition {
  return { ...storage, ...atLevel({ version }, before, level) };
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
