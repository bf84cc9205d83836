import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusPart } from "../../definition/base-strategy.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { ReplicaSet } from "../../gen/apps-v1.js";
import { replicaScale } from "../replica-scale.js";
import { templateRules } from "../template-rules.js";
import { replicaSetColumns } from "./columns.js";
import { setReplicaSetDefaults } from "./defaults.js";
import { validateReplicaSet, validateReplicaSetStatus, validateReplicaSetUpdate } from "./validation.js";

export function replicaSets(context: ApiContext): ResourceDefinition<ReplicaSet> {
  const main = specStrategy<ReplicaSet>({
    ...templateRules<ReplicaSet>(context, {
      namesPods: true,
      validate: validateReplicaSet,
      validateUpdate: validateReplicaSetUpdate,
    }),
    emptyStatus: () => ({ replicas: 0 }),
  });
  return defineResource<ReplicaSet>({
    group: "apps",
    resource: "replicasets",
    kind: "ReplicaSet",
    namespaced: true,
    shortNames: ["rs"],
    categories: ["all"],
    versions: [
      hub<ReplicaSet>(context, {
        version: "v1",
        type: "apps/v1.ReplicaSet",
        setDefaults: (object) => setReplicaSetDefaults(object, context),
      }),
    ],
    storage: { version: "v1", prefix: "/replicasets" },
    strategy: main,
    subresources: [
      { kind: "scale", name: "scale", verbs: partVerbs, scale: replicaScale<ReplicaSet>() },
      statusPart(main, {
        validateUpdate: (_write, object) => validateReplicaSetStatus(object.status),
      }),
    ],
    columns: replicaSetColumns,
  });
}
