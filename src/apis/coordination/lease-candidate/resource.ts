import { isConfigMapKey } from "../../../apimachinery/validation/identifiers.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { LeaseCandidate as LeaseCandidateV1alpha1 } from "../../gen/coordination-v1alpha1.js";
import type { LeaseCandidate } from "../../gen/coordination-v1beta1.js";
import { validateLeaseCandidate, validateLeaseCandidateUpdate } from "./validation.js";

export function leaseCandidates(context: ApiContext): ResourceDefinition<LeaseCandidate> {
  return defineResource<LeaseCandidate>({
    group: context.naming.group("coordination"),
    resource: "leasecandidates",
    kind: "LeaseCandidate",
    namespaced: true,
    since: "1.31",
    versions: [
      hub<LeaseCandidate>(context, {
        version: "v1beta1",
        since: "1.33",
        enabledByDefault: false,
        lifecycle: { introduced: "1.33", deprecated: "1.36", removed: "1.39" },
        type: "coordination/v1beta1.LeaseCandidate",
      }),
      spoke<LeaseCandidate, LeaseCandidate>(context, {
        version: "v1alpha2",
        since: "1.32",
        enabledByDefault: false,
        lifecycle: { introduced: "1.32", deprecated: "1.35", removed: "1.38" },
        type: "coordination/v1alpha2.LeaseCandidate",
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
      spoke<LeaseCandidate, LeaseCandidateV1alpha1>(context, {
        version: "v1alpha1",
        until: "1.32",
        enabledByDefault: false,
        type: "coordination/v1alpha1.LeaseCandidate",
        toHub: fromV1alpha1,
        fromHub: toV1alpha1,
      }),
    ],
    storage: {
      version: "v1beta1",
      before: { "1.33": { version: "v1alpha2" }, "1.32": { version: "v1alpha1" } },
      prefix: "/leasecandidates",
    },
    strategy: strategy<LeaseCandidate>({
      validateName: (name) => isConfigMapKey(name),
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
      validate: (_write, object) => validateLeaseCandidate(object, context.level),
      validateUpdate: (_write, object, old) => validateLeaseCandidateUpdate(object, old, context.level),
    }),
    columns,
  });
}

/** Later versions have a single strategy: the first of the list. */
function fromV1alpha1({ metadata, spec }: LeaseCandidateV1alpha1): LeaseCandidate {
  const { preferredStrategies = [], binaryVersion = "", ...others } = spec;
  return { metadata, spec: { ...others, binaryVersion, strategy: preferredStrategies[0] } };
}

function toV1alpha1({ metadata, spec }: LeaseCandidate): LeaseCandidateV1alpha1 {
  const { strategy = "", ...others } = spec;
  return { metadata, spec: { ...others, ...(strategy !== "" && { preferredStrategies: [strategy] }) } };
}

const columns: TableColumns<LeaseCandidate> = {
  columns: [
    nameColumn,
    column("LeaseName", "string", "The lease that the candidate would hold."),
    column("BinaryVersion", "string", "The version of the candidate's program."),
    column("EmulationVersion", "string", "The version that it acts as."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    object.spec.leaseName,
    object.spec.binaryVersion,
    object.spec.emulationVersion ?? "",
    ageCell(object, now),
  ],
};
