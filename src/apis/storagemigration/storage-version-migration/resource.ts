import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { column } from "../../definition/columns.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition, VersionDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { isTrue, type Migration, type MigrationCondition, type MigrationState } from "./migration.js";
import { validateMigration, validateMigrationStatus, validateMigrationUpdate } from "./validation.js";

const featureGate = "StorageVersionMigrator";

/** No level has both versions: each level's version is its hub, and it reads what servers of other levels have stored. */
export function storageVersionMigrations(context: ApiContext): ResourceDefinition<Migration> {
  const { level, naming } = context;
  const main = strategy<Migration>({
    allowUnconditionalUpdate: false,
    resetFields: [["status"]],
    prepareForCreate(_write, migration) {
      migration.status = {};
    },
    prepareForUpdate(_write, migration, old) {
      migration.status = old.status;
    },
    validate: (_write, migration) => validateMigration(migration, level),
    validateUpdate: (_write, migration, old) => validateMigrationUpdate(migration, old, level),
  });
  return defineResource<Migration>({
    group: naming.group("storagemigration"),
    resource: "storageversionmigrations",
    kind: "StorageVersionMigration",
    namespaced: false,
    since: "1.30",
    versions: versions(context),
    storage: {
      version: "v1beta1",
      before: { "1.35": { version: "v1alpha1" } },
      prefix: "/storageversionmigrations",
    },
    strategy: main,
    subresources: [
      statusPart(main, {
        resetFields: [["metadata"], ["spec"]],
        prepareForUpdate: (_write, migration, old) => resetMetadataForStatus(migration, old),
        validateUpdate: (_write, migration, old) => validateMigrationStatus(migration, old, level),
      }),
    ],
    columns: isAtLeast(level, "1.35") ? columns : columnsOfV1alpha1,
  });
}

function versions(context: ApiContext): readonly VersionDefinition<Migration>[] {
  const v1beta1 = {
    version: "v1beta1",
    since: "1.35",
    featureGate,
    enabledByDefault: false,
    lifecycle: { introduced: "1.35", deprecated: "1.38", removed: "1.41" },
    type: "storagemigration/v1beta1.StorageVersionMigration",
  } as const;
  const v1alpha1 = {
    version: "v1alpha1",
    until: "1.35",
    featureGate,
    enabledByDefault: false,
    lifecycle: { introduced: "1.30", deprecated: "1.33", removed: "1.36" },
    type: "storagemigration/v1alpha1.StorageVersionMigration",
  } as const;
  return isAtLeast(context.level, "1.35")
    ? [
        hub<Migration>(context, v1beta1),
        spoke<Migration, Migration>(context, { ...v1alpha1, toHub: toV1beta1, fromHub: toV1alpha1 }),
      ]
    : [
        spoke<Migration, Migration>(context, { ...v1beta1, toHub: toV1alpha1, fromHub: toV1beta1 }),
        hub<Migration>(context, v1alpha1),
      ];
}

/** Drops fields that v1beta1 lacks: the resource's version and the continue token. */
function toV1beta1({ metadata, spec, status }: Migration): Migration {
  const { group, resource } = spec.resource;
  const conditions = status.conditions?.map(({ lastUpdateTime, ...condition }): MigrationCondition => {
    const { reason = "", message = "" } = condition;
    return { ...condition, reason, message, lastTransitionTime: lastUpdateTime };
  });
  return { metadata, spec: { resource: { group, resource } }, status: { ...status, conditions } };
}

function toV1alpha1({ metadata, spec, status }: Migration): Migration {
  const conditions = status.conditions?.map(
    ({ lastTransitionTime, observedGeneration: _, ...condition }): MigrationCondition => ({
      ...condition,
      lastUpdateTime: lastTransitionTime,
    }),
  );
  return { metadata, spec, status: { ...status, conditions } };
}

const name = column("Name", "string", "Name of the migration.");
const states: readonly MigrationState[] = ["Running", "Failed", "Succeeded"];

const columns: TableColumns<Migration> = {
  columns: [
    name,
    column("Resource", "string", "What is migrated, with its group."),
    column("Status", "string", "How far the migration has come."),
  ],
  cells: (migration) => {
    const { group = "", resource = "" } = migration.spec.resource;
    return [
      migration.metadata.name ?? "",
      group === "" ? resource : `${resource}.${group}`,
      states.findLast((state) => isTrue(migration, state)) ?? "Unknown",
    ];
  },
};

const columnsOfV1alpha1: TableColumns<Migration> = {
  columns: [name, column("Resource", "string", "What is migrated, with its version and group.")],
  cells: ({ metadata, spec: { resource: of } }) => [
    metadata.name ?? "",
    `${of.resource ?? ""}.${of.version ?? ""}.${of.group ?? ""}`,
  ],
};
