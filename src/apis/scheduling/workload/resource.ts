import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { nameAndAge } from "../../definition/columns.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Workload as WorkloadV1alpha1 } from "../../gen/scheduling-v1alpha1.js";
import type { Workload } from "../../gen/scheduling-v1alpha2.js";
import { validateWorkload, validateWorkloadUpdate } from "./validation.js";

const featureGate = "GenericWorkload";

/** No level has both versions. Groups of v1alpha1 become templates of v1alpha2. */
export function workloads(context: ApiContext): ResourceDefinition<Workload> {
  const { level } = context;
  return defineResource<Workload>({
    group: context.naming.group("scheduling"),
    resource: "workloads",
    kind: "Workload",
    namespaced: true,
    since: "1.35",
    versions: [
      hub<Workload>(context, {
        version: "v1alpha2",
        since: "1.36",
        featureGate,
        enabledByDefault: false,
        type: "scheduling/v1alpha2.Workload",
      }),
      spoke<Workload, WorkloadV1alpha1>(context, {
        version: "v1alpha1",
        until: "1.36",
        featureGate,
        enabledByDefault: false,
        type: "scheduling/v1alpha1.Workload",
        toHub: fromV1alpha1,
        fromHub: toV1alpha1,
      }),
    ],
    storage: { version: "v1alpha2", before: { "1.36": { version: "v1alpha1" } }, prefix: "/workloads" },
    strategy: strategy<Workload>({
      validate: (_write, { spec }) => validateWorkload(spec, level),
      validateUpdate: (_write, { spec }, old) => validateWorkloadUpdate(spec, old.spec, level),
    }),
    columns: nameAndAge,
  });
}

function fromV1alpha1({ metadata, spec: { podGroups, ...spec } }: WorkloadV1alpha1): Workload {
  const podGroupTemplates = podGroups?.map(({ policy, ...group }) => ({
    ...group,
    schedulingPolicy: policy,
  }));
  return { metadata, spec: { ...spec, podGroupTemplates } };
}

function toV1alpha1({ metadata, spec: { podGroupTemplates, ...spec } }: Workload): WorkloadV1alpha1 {
  const podGroups = podGroupTemplates?.map(({ name, schedulingPolicy }) => ({
    name,
    policy: schedulingPolicy,
  }));
  return { metadata, spec: { ...spec, podGroups } };
}
