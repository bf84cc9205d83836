import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import { validateConditions } from "../../checks/condition-validation.js";
import { validateSet } from "../../checks/lists.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import { fieldRules } from "../../definition/field-rules.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type {
  PodGroup,
  PodGroupResourceClaimStatus,
  WorkloadPodGroupTemplateReference,
} from "../../gen/scheduling-v1alpha2.js";
import { validateUnchanged, validateUnion } from "../declared-checks.js";
import { validateGroup } from "../group-validation.js";
import { schedulingV1alpha2Types } from "../v1alpha2/types.js";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");
const claimStatusesMax = 4;
const claimStatusRules = fieldRules<PodGroupResourceClaimStatus>(
  schedulingV1alpha2Types,
  "PodGroupResourceClaimStatus",
);
const workloadRules = fieldRules<WorkloadPodGroupTemplateReference>(
  schedulingV1alpha2Types,
  "WorkloadPodGroupTemplateReference",
);

export function podGroups(context: ApiContext): ResourceDefinition<PodGroup> {
  const main = strategy<PodGroup>({
    validateName: nameIsDnsSubdomain,
    resetFields: [["status"]],
    prepareForCreate(_write, group) {
      group.status = {};
    },
    prepareForUpdate(_write, group, old) {
      group.status = old.status;
    },
    validate: (_write, group) => validate(group),
    validateUpdate: (_write, group, old) => validateUpdate(group, old),
  });
  return defineResource<PodGroup>({
    group: context.naming.group("scheduling"),
    resource: "podgroups",
    kind: "PodGroup",
    namespaced: true,
    since: "1.36",
    versions: [
      hub<PodGroup>(context, {
        version: "v1alpha2",
        type: "scheduling/v1alpha2.PodGroup",
        featureGate: "GenericWorkload",
        enabledByDefault: false,
        setDefaults({ spec }) {
          if (context.isEnabled("WorkloadAwarePreemption")) spec.disruptionMode ??= "Pod";
        },
      }),
    ],
    storage: { version: "v1alpha2", prefix: "/podgroups" },
    strategy: main,
    subresources: [
      statusPart(main, {
        resetFields: [["metadata"], ["spec"]],
        prepareForUpdate: (_write, group, old) => resetMetadataForStatus(group, old),
        validateUpdate: (_write, group) => validateStatus(group),
      }),
    ],
    columns,
  });
}

function validate({ spec }: PodGroup): FieldError[] {
  const errors: FieldError[] = [];
  const { podGroupTemplateRef: ref } = spec;
  if (ref !== undefined) {
    const path = specPath.child("podGroupTemplateRef");
    append(errors, validateUnion({ workload: ref.workload }, path));
    if (ref.workload !== undefined) {
      const at = path.child("workload");
      append(errors, workloadRules.check(ref.workload, at, "workloadName", "podGroupTemplateName"));
    }
  }
  append(errors, validateGroup(spec, specPath));
  return errors;
}

const fields = [
  "podGroupTemplateRef",
  "schedulingPolicy",
  "schedulingConstraints",
  "resourceClaims",
  "disruptionMode",
  "priorityClassName",
  "priority",
] as const;

function validateUpdate({ spec }: PodGroup, { spec: old }: PodGroup): FieldError[] {
  return fields.flatMap((field) => validateUnchanged(spec[field], old[field], specPath.child(field)));
}

function validateStatus({ spec, status }: PodGroup): FieldError[] {
  const { conditions = [], resourceClaimStatuses: statuses = [] } = status;
  const errors = validateConditions(conditions, statusPath.child("conditions"));
  const path = statusPath.child("resourceClaimStatuses");
  const claims = new Set(spec.resourceClaims?.map(({ name }) => name));
  for (const [index, { name }] of statuses.entries()) {
    if (claims.has(name)) continue;
    const why = "must match the name of an entry in `spec.resourceClaims`";
    errors.push(invalid(path.index(index).child("name"), name, why));
  }
  append(
    errors,
    validateSet(statuses, path, claimStatusesMax, {
      level: "1.36",
      key: { of: ({ name }) => name, print: (status) => status },
      validate: (status, at) => claimStatusRules.check(status, at, "resourceClaimName"),
    }),
  );
  return errors;
}

const columns: TableColumns<PodGroup> = {
  columns: [
    nameColumn,
    column("Policy", "string", "How the pods are scheduled: each by itself, or together."),
    column("Workload", "string", "The workload that the group belongs to."),
    column("Status", "string", "Whether the group is scheduled."),
    ageColumn,
  ],
  cells: (group, now) => [
    group.metadata.name ?? "",
    group.spec.schedulingPolicy.gang === undefined ? "Basic" : "Gang",
    group.spec.podGroupTemplateRef?.workload?.workloadName ?? "<none>",
    statusCell(group),
    ageCell(group, now),
  ],
};

function statusCell({ status }: PodGroup): string {
  const conditionOf = (wanted: string) => status.conditions?.findLast(({ type }) => type === wanted);
  const disruption = conditionOf("DisruptionTarget");
  if (disruption !== undefined) return disruption.reason;
  const scheduled = conditionOf("PodGroupScheduled");
  if (scheduled === undefined) return "Pending";
  return scheduled.status === "True" ? "Scheduled" : "Unschedulable";
}
