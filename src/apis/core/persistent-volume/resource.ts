import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { formatTime } from "../../../apimachinery/values/time.js";
import { hasWrongValues } from "../../checks/node-selector.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { PersistentVolume, PersistentVolumeStatus } from "../../gen/core-v1.js";
import { usesOncePod } from "./access-modes.js";
import { attributesClassRules } from "./attributes-class.js";
import { persistentVolumeColumns } from "./columns.js";
import { setPersistentVolumeDefaults } from "./defaults.js";
import {
  type PersistentVolumeRules,
  validatePersistentVolume,
  validatePersistentVolumeUpdate,
} from "./validation.js";
import { volumeWarnings } from "./warnings.js";

export function persistentVolumes(context: ApiContext): ResourceDefinition<PersistentVolume> {
  const { naming, level } = context;
  const rulesFor = (old?: PersistentVolume): PersistentVolumeRules => ({
    naming,
    level,
    allowOncePod: context.isEnabled("ReadWriteOncePod") || usesOncePod(old?.spec.accessModes),
    attributesClass: attributesClassRules(context, old?.spec),
    checksNodeValues: isAtLeast(context.level, "1.33") && !hasWrongValues(old?.spec.nodeAffinity?.required),
    affinity: context.isEnabled("MutablePVNodeAffinity")
      ? "mutable"
      : isAtLeast(context.level, "1.27")
        ? "labels"
        : "immutable",
  });
  const tracksPhases = context.isEnabled("PersistentVolumeLastPhaseTransitionTime");
  const main = strategy<PersistentVolume>({
    resetFields: [["status"]],
    prepareForCreate({ now }, object) {
      object.status = { phase: "Pending" };
      if (tracksPhases) object.status.lastPhaseTransitionTime = timeOf(now);
      dropDisabledFields(context, object, undefined);
    },
    prepareForUpdate(_context, object, old) {
      object.status = old.status;
      dropDisabledFields(context, object, old);
    },
    ...(isAtLeast(context.level, "1.25") && {
      warningsOnCreate: (_context, object) => volumeWarnings(context, object),
      warningsOnUpdate: (_context, object) => volumeWarnings(context, object),
    }),
    validate: (_context, object) => validatePersistentVolume(object, rulesFor()),
    validateUpdate: (_context, object, old) =>
      validatePersistentVolumeUpdate(object, old, rulesFor(old), context),
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
      statusPart<PersistentVolume>(main, {
        prepareForUpdate({ now }, { status }, { status: old }) {
          if (tracksPhases) setTransitionTime(status, old, now);
        },
      }),
    ],
    columns: persistentVolumeColumns(naming),
  });
}

/** A new phase begins now, unless the writer sets the time; the same phase keeps its time. */
function setTransitionTime(status: PersistentVolumeStatus, old: PersistentVolumeStatus, now: Date): void {
  const isSamePhase = status.phase === old.phase;
  const given = status.lastPhaseTransitionTime;
  if (isSamePhase) status.lastPhaseTransitionTime ??= old.lastPhaseTransitionTime;
  else if (given === undefined || given === old.lastPhaseTransitionTime) {
    status.lastPhaseTransitionTime = timeOf(now);
  }
}

function timeOf(now: Date): string {
  return formatTime(Math.floor(now.getTime() / 1000));
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
