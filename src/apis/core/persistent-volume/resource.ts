import type { ApiContext } from "../../definition/api-context.js";
import { statusStrategy, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { PersistentVolume } from "../../gen/core-v1.js";
import { usesOncePod } from "./access-modes.js";
import { persistentVolumeColumns } from "./columns.js";
import { setPersistentVolumeDefaults } from "./defaults.js";
import {
  type PersistentVolumeRules,
  validatePersistentVolume,
  validatePersistentVolumeUpdate,
} from "./validation.js";

export function persistentVolumes(context: ApiContext): ResourceDefinition<PersistentVolume> {
  const { naming } = context;
  const rulesFor = (old?: PersistentVolume): PersistentVolumeRules => ({
    naming,
    allowOncePod: context.isEnabled("ReadWriteOncePod") || usesOncePod(old?.spec.accessModes),
  });
  const main = strategy<PersistentVolume>({
    resetFields: [["status"]],
    prepareForCreate(_context, object) {
      object.status = { phase: "Pending" };
      dropDisabledFields(context, object, undefined);
    },
    prepareForUpdate(_context, object, old) {
      object.status = old.status;
      dropDisabledFields(context, object, old);
    },
    validate: (_context, object) => validatePersistentVolume(object, rulesFor()),
    validateUpdate: (_context, object, old) => validatePersistentVolumeUpdate(object, old, rulesFor(old)),
  });
  return defineResource<PersistentVolume>({
    group: "",
    resource: "persistentvolumes",
    kind: "PersistentVolume",
    namespaced: false,
    shortNames: ["pv"],
    versions: [
      hub<PersistentVolume>(context, {
        version: "v1",
        type: "core/v1.PersistentVolume",
        setDefaults: setPersistentVolumeDefaults,
      }),
    ],
    storage: { version: "v1", prefix: "/persistentvolumes" },
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      {
        kind: "part",
        name: "status",
        verbs: partVerbs,
        strategy: statusStrategy<PersistentVolume>(main),
      },
    ],
    columns: persistentVolumeColumns(naming),
  });
}

/** A field of a disabled gate is kept where it is in use. */
function dropDisabledFields(
  context: ApiContext,
  { spec: { csi } }: PersistentVolume,
  old: PersistentVolume | undefined,
): void {
  if (context.isEnabled("ExpandCSIVolumes") || csi === undefined) return;
  if (old?.spec.csi?.controllerExpandSecretRef === undefined) csi.controllerExpandSecretRef = undefined;
}
