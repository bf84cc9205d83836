import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { Naming } from "../../../naming/naming.js";
import { nodeLabelDeprecation } from "../../checks/node-label-deprecation.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { CSIStorageCapacity } from "../../gen/storage-v1.js";
import { validateCsiStorageCapacity, validateCsiStorageCapacityUpdate } from "./validation.js";

const beta = { introduced: "1.21", deprecated: "1.24", removed: "1.27" };

export function csiStorageCapacities(context: ApiContext): ResourceDefinition<CSIStorageCapacity> {
  const { level, naming } = context;
  const group = naming.group("storage");
  return defineResource<CSIStorageCapacity>({
    group,
    resource: "csistoragecapacities",
    kind: "CSIStorageCapacity",
    namespaced: true,
    versions: [
      hub<CSIStorageCapacity>(context, {
        version: "v1",
        since: "1.24",
        type: "storage/v1.CSIStorageCapacity",
      }),
      // The same fields in every version.
      spoke<CSIStorageCapacity, CSIStorageCapacity>(context, {
        version: "v1beta1",
        until: "1.27",
        type: "storage/v1beta1.CSIStorageCapacity",
        lifecycle: { ...beta, replacement: { group, version: "v1", kind: "CSIStorageCapacity" } },
        before: { "1.24": { lifecycle: beta } },
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
      spoke<CSIStorageCapacity, CSIStorageCapacity>(context, {
        version: "v1alpha1",
        until: "1.24",
        type: "storage/v1alpha1.CSIStorageCapacity",
        enabledByDefault: false,
        lifecycle: {
          introduced: "1.19",
          deprecated: "1.21",
          removed: "1.24",
          replacement: { group, version: "v1beta1", kind: "CSIStorageCapacity" },
        },
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
    ],
    storage: {
      version: "v1",
      before: { "1.25": { version: "v1beta1" } },
      prefix: "/csistoragecapacities",
    },
    strategy: strategy<CSIStorageCapacity>({
      allowUnconditionalUpdate: false,
      validate(_write, object) {
        const errors = validateCsiStorageCapacity(object, level);
        // Kubernetes checked it twice and reported every error twice.
        return isAtLeast(level, "1.28") ? errors : [...errors, ...errors];
      },
      validateUpdate: (_write, object, old) => validateCsiStorageCapacityUpdate(object, old, level),
      ...(isAtLeast(level, "1.25") && {
        warningsOnCreate: (_write, object) => topologyWarnings(object, naming),
        warningsOnUpdate: (_write, object) => topologyWarnings(object, naming),
      }),
    }),
  });
}

/** Warns of deprecated node labels. */
function topologyWarnings({ nodeTopology = {} }: CSIStorageCapacity, naming: Naming): string[] {
  const path = FieldPath.of("nodeTopology");
  const { matchExpressions = [], matchLabels = {} } = nodeTopology;
  const warnings = matchExpressions.flatMap(({ key }, index) => {
    const message = nodeLabelDeprecation(key, naming);
    const at = path.child("matchExpressions").index(index).child("key");
    return message === undefined ? [] : [`${at}: ${key} is ${message}`];
  });
  for (const label of Object.keys(matchLabels)) {
    const message = nodeLabelDeprecation(label, naming);
    if (message !== undefined) warnings.push(`${path.child("matchLabels", label)}: ${message}`);
  }
  return warnings;
}
