import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, partVerbs, spoke } from "../../definition/define-resource.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { VolumeAttachment } from "../../gen/storage-v1.js";
import { setVolumeAttachmentDefaults } from "./defaults.js";
import {
  validateNewVolumeAttachment,
  validateVolumeAttachment,
  validateVolumeAttachmentUpdate,
} from "./validation.js";

export function volumeAttachments(context: ApiContext): ResourceDefinition<VolumeAttachment> {
  const group = context.naming.group("storage");
  const rules = {
    naming: context.naming,
    level: context.level,
    allowOncePod: isAtLeast(context.level, "1.29"),
    checksNodeValues: isAtLeast(context.level, "1.33"),
  };
  const main = strategy<VolumeAttachment>({
    allowUnconditionalUpdate: false,
    resetFields: [["status"]],
    prepareForCreate(_context, object) {
      object.status = { attached: false };
    },
    prepareForUpdate(_context, object, old) {
      object.status = old.status;
    },
    validate: (_context, object) => [
      ...validateVolumeAttachment(object, rules),
      ...validateNewVolumeAttachment(object, rules),
    ],
    validateUpdate: (_context, object, old) => [
      // Before 1.35, Kubernetes validates an updated object twice and reports every error twice.
      ...(isAtLeast(context.level, "1.35") ? [] : validateVolumeAttachment(object, rules)),
      ...validateVolumeAttachmentUpdate(object, old, rules, context.schemas),
    ],
  });
  return defineResource<VolumeAttachment>({
    group,
    resource: "volumeattachments",
    kind: "VolumeAttachment",
    namespaced: false,
    versions: [
      hub<VolumeAttachment>(context, {
        version: "v1",
        type: "storage/v1.VolumeAttachment",
        setDefaults: setVolumeAttachmentDefaults,
      }),
      // The same fields as in v1.
      spoke<VolumeAttachment, VolumeAttachment>(context, {
        version: "v1alpha1",
        until: "1.24",
        type: "storage/v1alpha1.VolumeAttachment",
        setDefaults: setVolumeAttachmentDefaults,
        enabledByDefault: false,
        lifecycle: {
          introduced: "1.9",
          deprecated: "1.21",
          removed: "1.24",
          replacement: { group, version: "v1", kind: "VolumeAttachment" },
        },
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
    ],
    storage: { version: "v1", prefix: "/volumeattachments" },
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      {
        kind: "part",
        name: "status",
        verbs: partVerbs,
        strategy: strategy<VolumeAttachment>({
          ...main,
          resetFields: [["metadata"], ["spec"]],
          prepareForUpdate(_context, object, old) {
            object.spec = old.spec;
            resetMetadataForStatus(object, old);
          },
        }),
      },
    ],
    columns,
  });
}

const columns: TableColumns<VolumeAttachment> = {
  columns: [
    nameColumn,
    { ...column("Attacher", "string", "Volume driver that attaches and detaches."), format: "name" },
    column("PV", "string", "Persistent volume to attach."),
    column("Node", "string", "Node to attach it to."),
    column("Attached", "boolean", "Whether it is attached now."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    object.spec.attacher,
    object.spec.source.persistentVolumeName ?? "",
    object.spec.nodeName,
    object.status.attached,
    ageCell(object, now),
  ],
};
