import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { Naming } from "../../../naming/naming.js";
import { nodeLabelDeprecation } from "../../checks/node-label-deprecation.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { StorageClass } from "../../gen/storage-v1.js";
import { validateStorageClass, validateStorageClassUpdate } from "./validation.js";

export function storageClasses(context: ApiContext): ResourceDefinition<StorageClass> {
  const warns = isAtLeast(context.level, "1.25");
  return defineResource<StorageClass>({
    group: context.naming.group("storage"),
    resource: "storageclasses",
    kind: "StorageClass",
    namespaced: false,
    shortNames: ["sc"],
    versions: [
      hub<StorageClass>(context, {
        version: "v1",
        type: "storage/v1.StorageClass",
        setDefaults(object) {
          object.reclaimPolicy ??= "Delete";
          object.volumeBindingMode ??= "Immediate";
        },
      }),
    ],
    storage: { version: "v1", prefix: "/storageclasses" },
    strategy: strategy<StorageClass>({
      prepareForCreate: (_context, object) => dropDisabledFields(context, object, undefined),
      prepareForUpdate: (_context, object, old) => dropDisabledFields(context, object, old),
      validate: (_context, object) => validateStorageClass(object, context.level),
      validateUpdate: (_context, object, old) => validateStorageClassUpdate(object, old, context.level),
      ...(warns && {
        warningsOnCreate: (_context, object) => topologyWarnings(object, context.naming),
        warningsOnUpdate: (_context, object) => topologyWarnings(object, context.naming),
      }),
    }),
    returnsDeletedObject: true,
    columns: columns(context.naming.domain),
  });
}

/** Drops fields of disabled gates unless the old object uses them. */
function dropDisabledFields(context: ApiContext, object: StorageClass, old: StorageClass | undefined): void {
  if (context.isEnabled("ExpandPersistentVolumes") || old?.allowVolumeExpansion !== undefined) return;
  object.allowVolumeExpansion = undefined;
}

/** Warns of deprecated node labels. */
function topologyWarnings({ allowedTopologies = [] }: StorageClass, naming: Naming): string[] {
  const path = FieldPath.of("allowedTopologies");
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, term) =>
    matchLabelExpressions.flatMap(({ key }, index) => {
      const message = nodeLabelDeprecation(key, naming);
      const at = path.index(term).child("matchLabelExpressions").index(index).child("key");
      return message === undefined ? [] : [`${at}: ${message}`];
    }),
  );
}

function columns(domain: string): TableColumns<StorageClass> {
  const defaultMarks = [
    `storageclass.${domain}/is-default-class`,
    `storageclass.beta.${domain}/is-default-class`,
  ];
  return {
    columns: [
      nameColumn,
      column("Provisioner", "string", "What makes the volumes of the class."),
      column("ReclaimPolicy", "string", "What becomes of a volume that its claim releases."),
      column("VolumeBindingMode", "string", "When volumes are bound and provisioned."),
      column("AllowVolumeExpansion", "string", "Whether claims may grow."),
      ageColumn,
    ],
    cells(object, now) {
      const { name = "", annotations = {} } = object.metadata;
      const isDefault = defaultMarks.some((mark) => annotations[mark] === "true");
      return [
        isDefault ? `${name} (default)` : name,
        object.provisioner,
        object.reclaimPolicy ?? "Delete",
        object.volumeBindingMode ?? "Immediate",
        object.allowVolumeExpansion ?? false,
        ageCell(object, now),
      ];
    },
  };
}
