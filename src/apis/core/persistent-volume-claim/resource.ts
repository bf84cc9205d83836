import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { checksSelectorValues } from "../../../apimachinery/validation/label-selector.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { PersistentVolumeClaim } from "../../gen/core-v1.js";
import { usesOncePod } from "../persistent-volume/access-modes.js";
import { attributesClassRules } from "../persistent-volume/attributes-class.js";
import { persistentVolumeClaimColumns } from "./columns.js";
import { copyDataSource, namesGroup, prepareDataSources } from "./data-source.js";
import { setPersistentVolumeClaimDefaults } from "./defaults.js";
import {
  type ClaimRules,
  validateClaim,
  validateClaimStatusUpdate,
  validateClaimUpdate,
} from "./validation.js";
import { claimWarnings } from "./warnings.js";

export function persistentVolumeClaims(context: ApiContext): ResourceDefinition<PersistentVolumeClaim> {
  const { naming } = context;
  const keepsRecovery = isAtLeast(context.level, "1.28");
  const rulesFor = (old?: PersistentVolumeClaim): ClaimRules => ({
    naming,
    allowOncePod: context.isEnabled("ReadWriteOncePod") || usesOncePod(old?.spec.accessModes),
    allowExpansion: context.isEnabled("ExpandPersistentVolumes"),
    allowExpansionRecovery:
      context.isEnabled("RecoverVolumeExpansionFailure") || (keepsRecovery && recovers(old)),
    level: context.level,
    checksSelectorValues: checksSelectorValues(context.level, [old?.spec.selector]),
    allowAnyGroup: old !== undefined && namesGroup(old.spec),
    attributesClass: attributesClassRules(context, old?.spec),
    allowLateClass: context.isEnabled("RetroactiveDefaultStorageClass"),
  });
  const main = strategy<PersistentVolumeClaim>({
    resetFields: [["status"]],
    prepareForCreate(_context, object) {
      object.status = { phase: "Pending" };
      prepareDataSources(context, object.spec);
    },
    prepareForUpdate(_context, object, old) {
      object.status = old.status;
      prepareDataSources(context, object.spec, old.spec);
    },
    ...(isAtLeast(context.level, "1.26") && {
      warningsOnCreate: (_context, object) => claimWarnings(context, object),
      warningsOnUpdate: (_context, object) => claimWarnings(context, object),
    }),
    validate: (_context, object) => validateClaim(object, rulesFor()),
    validateUpdate: (_context, object, old) => validateClaimUpdate(object, old, rulesFor(old), context),
  });
  return defineResource<PersistentVolumeClaim>({
    group: "",
    resource: "persistentvolumeclaims",
    kind: "PersistentVolumeClaim",
    namespaced: true,
    shortNames: ["pvc"],
    versions: [
      hub<PersistentVolumeClaim>(context, {
        version: "v1",
        type: "core/v1.PersistentVolumeClaim",
        setDefaults: setPersistentVolumeClaimDefaults,
      }),
    ],
    storage: { version: "v1", prefix: "/persistentvolumeclaims" },
    setReadDefaults(object) {
      if (context.isEnabled("AnyVolumeDataSource")) copyDataSource(object.spec);
    },
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      statusPart<PersistentVolumeClaim>(main, {
        prepareForUpdate: (_context, object, old) => dropDisabledStatus(context, object, old),
        validateUpdate: (_context, object, old) => validateClaimStatusUpdate(object, rulesFor(old)),
      }),
    ],
    columns: persistentVolumeClaimColumns(naming),
  });
}

/** Whether the status reports an expansion. */
function recovers(old: PersistentVolumeClaim | undefined): boolean {
  return old?.status.allocatedResources !== undefined || old?.status.allocatedResourceStatuses !== undefined;
}

/** A field of a disabled gate is kept where it is in use. */
function dropDisabledStatus(
  context: ApiContext,
  { status }: PersistentVolumeClaim,
  { status: old }: PersistentVolumeClaim,
): void {
  if (!context.isEnabled("ExpandPersistentVolumes") && old.conditions === undefined) {
    status.conditions = undefined;
  }
  if (context.isEnabled("RecoverVolumeExpansionFailure")) return;
  if (old.allocatedResources === undefined) status.allocatedResources = undefined;
  if (old.resizeStatus === undefined) status.resizeStatus = undefined;
}
