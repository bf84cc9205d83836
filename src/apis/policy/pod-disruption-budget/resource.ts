import { nameIsPathSegment } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusPart } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { PodDisruptionBudget } from "../../gen/policy-v1.js";
import type { PodDisruptionBudget as PodDisruptionBudgetV1beta1 } from "../../gen/policy-v1beta1.js";
import { podDisruptionBudgetConversion } from "./conversion.js";
import { validatePodDisruptionBudget, validatePodDisruptionBudgetStatus } from "./validation.js";

export function podDisruptionBudgets(context: ApiContext): ResourceDefinition<PodDisruptionBudget> {
  const main = specStrategy<PodDisruptionBudget>({
    validateName: nameIsPathSegment,
    allowUnconditionalUpdate: false,
    emptyStatus: () => ({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
    validate: (_write, object) => validatePodDisruptionBudget(object, context.level),
    validateUpdate: (_write, object, old) => validatePodDisruptionBudget(object, context.level, old),
  });
  return defineResource<PodDisruptionBudget>({
    group: "policy",
    resource: "poddisruptionbudgets",
    kind: "PodDisruptionBudget",
    namespaced: true,
    shortNames: ["pdb"],
    versions: [
      hub<PodDisruptionBudget>(context, { version: "v1", type: "policy/v1.PodDisruptionBudget" }),
      spoke<PodDisruptionBudget, PodDisruptionBudgetV1beta1>(context, {
        version: "v1beta1",
        until: "1.25",
        type: "policy/v1beta1.PodDisruptionBudget",
        lifecycle: {
          introduced: "1.5",
          deprecated: "1.21",
          removed: "1.25",
          replacement: { group: "policy", version: "v1", kind: "PodDisruptionBudget" },
        },
        ...podDisruptionBudgetConversion(context.naming.domain),
      }),
    ],
    storage: {
      version: "v1",
      // Kubernetes stores v1beta1 up to 1.26; every level reads both.
      before: { "1.27": { hashedVersion: "v1beta1" }, "1.24": { version: "v1beta1" } },
      prefix: "/poddisruptionbudgets",
    },
    strategy: main,
    subresources: [
      statusPart(main, {
        validateUpdate: ({ version }, object) => validatePodDisruptionBudgetStatus(object.status, version),
      }),
    ],
    columns,
  });
}

const columns: TableColumns<PodDisruptionBudget> = {
  columns: [
    nameColumn,
    column("Min Available", "string", "Pods that must stay available."),
    column("Max Unavailable", "string", "Pods that may be unavailable."),
    column("Allowed Disruptions", "integer", "Pods that may be evicted now."),
    ageColumn,
  ],
  cells(object, now) {
    const { metadata, spec, status } = object;
    return [
      metadata.name ?? "",
      String(spec.minAvailable ?? "N/A"),
      String(spec.maxUnavailable ?? "N/A"),
      status.disruptionsAllowed,
      ageCell(object, now),
    ];
  },
};
