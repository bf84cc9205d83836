import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { CSIDriver } from "../../gen/storage-v1.js";
import { csiDriverColumns } from "./columns.js";
import { setCsiDriverDefaults } from "./defaults.js";
import { type CsiDriverRules, validateCsiDriver, validateCsiDriverUpdate } from "./validation.js";

const tokensInAttributes =
  "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes";

/** Fields that cannot be set while their feature gate is off. */
const gatedFields = [
  ["CSIStorageCapacity", "storageCapacity"],
  ["CSIInlineVolume", "volumeLifecycleModes"],
] as const;

export function csiDrivers(context: ApiContext): ResourceDefinition<CSIDriver> {
  const rules: CsiDriverRules = {
    level: context.level,
    storageCapacity: context.isEnabled("CSIStorageCapacity"),
    seLinuxMount: context.isEnabled("SELinuxMountReadWriteOncePod"),
  };
  const dropDisabledFields = ({ spec }: CSIDriver, old: CSIDriver | undefined): void => {
    for (const [gate, field] of gatedFields) {
      if (!context.isEnabled(gate) && old?.spec[field] === undefined) spec[field] = undefined;
    }
  };
  const warnings = ({ spec }: CSIDriver): string[] => {
    const { tokenRequests = [], serviceAccountTokenInSecrets } = spec;
    const isUnset = tokenRequests.length > 0 && serviceAccountTokenInSecrets === undefined;
    return isUnset && context.isEnabled("CSIServiceAccountTokenSecrets") ? [tokensInAttributes] : [];
  };
  /** Changes of these fields increase `metadata.generation`. */
  const counted = ({ spec }: CSIDriver): unknown => {
    if (isAtLeast(context.level, "1.30")) return spec;
    const { tokenRequests, requiresRepublish, seLinuxMount } = spec;
    return [tokenRequests, requiresRepublish, isAtLeast(context.level, "1.25") && seLinuxMount];
  };
  return defineResource<CSIDriver>({
    group: context.naming.group("storage"),
    resource: "csidrivers",
    kind: "CSIDriver",
    namespaced: false,
    versions: [
      hub<CSIDriver>(context, {
        version: "v1",
        type: "storage/v1.CSIDriver",
        setDefaults: (object) => setCsiDriverDefaults(object, context),
      }),
    ],
    storage: { version: "v1", prefix: "/csidrivers" },
    strategy: strategy<CSIDriver>({
      allowUnconditionalUpdate: false,
      prepareForCreate: (_context, object) => dropDisabledFields(object, undefined),
      prepareForUpdate(_context, object, old) {
        dropDisabledFields(object, old);
        // A new object has no generation.
        if (!isDeepEqual(counted(object), counted(old))) {
          object.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
        }
      },
      validate: (_context, object) => validateCsiDriver(object, rules),
      validateUpdate: (_context, object, old) => validateCsiDriverUpdate(object, old, rules),
      warningsOnCreate: (_context, object) => warnings(object),
      warningsOnUpdate: (_context, object, old) =>
        isDeepEqual(object.spec.tokenRequests, old.spec.tokenRequests) ? [] : warnings(object),
    }),
    returnsDeletedObject: true,
    columns: csiDriverColumns,
  });
}
