import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { PolicyRule } from "../../apis/gen/rbac-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { usesStorageVersions } from "../settings/uses-storage-versions.js";
import { laterControllerRules } from "./later-controller-rules.js";
import { type RuleWords, read, when } from "./policy-rules.js";

/** The permissions of each controller, by the name of its service account. */
export function controllerRules(
  naming: Naming,
  words: RuleWords,
  gates: FeatureGates,
): ReadonlyMap<string, readonly PolicyRule[]> {
  return new Map([
    ...workloadRules(words, gates),
    ...volumeRules(words, gates),
    ...clusterRules(naming, words, gates),
    ...networkRules(words, gates),
    ...laterControllerRules(naming, words, gates),
    ...(usesStorageVersions(gates) ? storageVersionRules(words) : []),
  ]);
}

type Entries = readonly (readonly [string, readonly PolicyRule[]])[];

function workloadRules(words: RuleWords, gates: FeatureGates): Entries {
  const has = (level: ApiLevel): boolean => isAtLeast(gates.level, level);
  const watch = has("1.32") ? " watch" : "";
  const owner = "apps extensions";
  const runPods = words.rule("create delete list patch watch", "core", "pods");
  const podStatus = words.rule("patch update", "core", "pods/status");
  const revisions = words.rule(`create delete patch update ${read}`, "apps", "controllerrevisions");
  return [
    [
      "cronjob-controller",
      [
        words.rule(`${read} update`, "batch", "cronjobs"),
        words.rule(`create delete patch update ${read}`, "batch", "jobs"),
        words.rule("update", "batch", "cronjobs/status"),
        words.rule("update", "batch", "cronjobs/finalizers"),
        words.rule(`delete list${watch}`, "core", "pods"),
        words.events,
      ],
    ],
    [
      "daemon-set-controller",
      [
        words.rule(read, owner, "daemonsets"),
        words.rule("update", owner, "daemonsets/status"),
        words.rule("update", owner, "daemonsets/finalizers"),
        words.rule("list watch", "core", "nodes"),
        runPods,
        words.rule("create", "core", "pods/binding"),
        revisions,
        words.events,
      ],
    ],
    [
      "deployment-controller",
      [
        words.rule(`${read} update`, owner, "deployments"),
        words.rule("update", owner, "deployments/status"),
        words.rule("update", owner, "deployments/finalizers"),
        words.rule(`create delete patch update ${read}`, owner, "replicasets"),
        words.rule(`${read} update`, "core", "pods"),
        words.events,
      ],
    ],
    [
      "job-controller",
      [
        words.rule(`${read} patch update`, "batch", "jobs"),
        words.rule("update", "batch", "jobs/status"),
        words.rule("update", "batch", "jobs/finalizers"),
        runPods,
        words.events,
        ...when(
          has("1.36") && gates.isEnabled("WorkloadWithJob"),
          words.rule(`create ${read}`, "scheduling", "podgroups workloads"),
        ),
      ],
    ],
    [
      "replicaset-controller",
      [
        words.rule(`${read} update`, owner, "replicasets"),
        words.rule("update", owner, "replicasets/status"),
        words.rule("update", owner, "replicasets/finalizers"),
        runPods,
        words.events,
      ],
    ],
    [
      "replication-controller",
      [
        words.rule(`${read} update`, "core", "replicationcontrollers"),
        words.rule("update", "core", "replicationcontrollers/status"),
        words.rule("update", "core", "replicationcontrollers/finalizers"),
        runPods,
        words.events,
      ],
    ],
    [
      "statefulset-controller",
      [
        words.rule("list watch", "core", "pods"),
        words.rule(read, "apps", "statefulsets"),
        words.rule("update", "apps", "statefulsets/status"),
        words.rule("update", "apps", "statefulsets/finalizers"),
        words.rule("create delete get patch update", "core", "pods"),
        revisions,
        words.rule(has("1.28") ? `create ${read}` : "create get", "core", "persistentvolumeclaims"),
        ...when(!has("1.35"), words.events),
        ...when(
          gates.isEnabled("StatefulSetAutoDeletePVC"),
          words.rule(has("1.27") ? "delete update" : "update", "core", "persistentvolumeclaims"),
        ),
        ...when(has("1.28"), words.rule("update", "core", "pods/finalizers")),
        ...when(has("1.35"), words.events),
      ],
    ],
    ["ttl-after-finished-controller", [words.rule(`delete ${read}`, "batch", "jobs"), words.events]],
    [
      "disruption-controller",
      [
        words.rule(read, owner, "deployments"),
        words.rule(read, owner, "replicasets"),
        words.rule(read, "core", "replicationcontrollers"),
        words.rule(read, "policy", "poddisruptionbudgets"),
        words.rule(read, "apps", "statefulsets"),
        words.rule("update", "policy", "poddisruptionbudgets/status"),
        ...when(has("1.31"), podStatus),
        words.rule("get", "*", "*/scale"),
        words.events,
        ...when(!has("1.31") && gates.isEnabled("PodDisruptionConditions"), podStatus),
      ],
    ],
    [
      "horizontal-pod-autoscaler",
      [
        words.rule(read, "autoscaling", "horizontalpodautoscalers"),
        words.rule("update", "autoscaling", "horizontalpodautoscalers/status"),
        words.rule("get update", "*", "*/scale"),
        words.rule(`list${watch}`, "core", "pods"),
        ...when(!has("1.27"), words.rule("get", "core", "services/proxy", "http:heapster: https:heapster:")),
        words.rule(`list${watch}`, "metrics", "pods"),
        words.rule(`get list${watch}`, "custom.metrics", "*"),
        ...when(has("1.24"), words.rule(`get list${watch}`, "external.metrics", "*")),
        words.events,
      ],
    ],
  ];
}

function volumeRules(words: RuleWords, gates: FeatureGates): Entries {
  const has = (level: ApiLevel): boolean => isAtLeast(gates.level, level);
  const service = words.rule("get", "core", "services");
  return [
    [
      "attachdetach-controller",
      [
        words.rule("list watch", "core", "persistentvolumeclaims persistentvolumes"),
        words.rule(read, "core", "nodes"),
        words.rule("patch update", "core", "nodes/status"),
        words.rule("list watch", "core", "pods"),
        words.events,
        words.rule(`create delete ${read}`, "storage", "volumeattachments"),
        words.rule(read, "storage", "csidrivers"),
        words.rule(read, "storage", "csinodes"),
      ],
    ],
    [
      "ephemeral-volume-controller",
      [
        words.rule(read, "core", "pods"),
        words.rule("update", "core", "pods/finalizers"),
        words.rule(`create ${read}`, "core", "persistentvolumeclaims"),
        words.events,
      ],
    ],
    [
      "expand-controller",
      [
        words.rule(`${read} patch update`, "core", "persistentvolumes"),
        words.rule("patch update", "core", "persistentvolumeclaims/status"),
        words.rule(read, "core", "persistentvolumeclaims"),
        ...(has("1.32")
          ? []
          : [
              words.rule(read, "storage", "storageclasses"),
              words.rule("get", "core", "endpoints services"),
              words.rule("get", "core", "secrets"),
            ]),
        words.events,
        ...when(has("1.32") && !has("1.36"), service),
      ],
    ],
    [
      "persistent-volume-binder",
      [
        words.rule(`create delete update ${read}`, "core", "persistentvolumes"),
        words.rule("update", "core", "persistentvolumes/status"),
        words.rule(`${read} update`, "core", "persistentvolumeclaims"),
        words.rule("update", "core", "persistentvolumeclaims/status"),
        words.rule(`create delete ${read}`, "core", "pods"),
        words.rule(read, "storage", "storageclasses"),
        ...(has("1.32")
          ? [
              words.rule("list watch", "core", "nodes"),
              words.events,
              words.rule("watch", "core", "events"),
              ...when(!has("1.36"), service),
            ]
          : [
              words.rule("create delete get update", "core", "endpoints"),
              words.rule("create delete get", "core", "services"),
              words.rule("get", "core", "secrets"),
              words.rule("get list", "core", "nodes"),
              words.rule("watch", "core", "events"),
              words.events,
            ]),
      ],
    ],
    ["pv-protection-controller", [words.rule(`${read} update`, "core", "persistentvolumes"), words.events]],
    [
      "pvc-protection-controller",
      [
        words.rule(`${read} update`, "core", "persistentvolumeclaims"),
        ...when(has("1.36"), words.rule("update", "core", "persistentvolumeclaims/status")),
        words.rule(read, "core", "pods"),
        words.events,
      ],
    ],
  ];
}

function clusterRules(naming: Naming, words: RuleWords, gates: FeatureGates): Entries {
  const has = (level: ApiLevel): boolean => isAtLeast(gates.level, level);
  const watch = has("1.32") ? " watch" : "";
  const tellsOfDisruptions = gates.isEnabled("PodDisruptionConditions");
  const { domain, commandName, nodeAgentName } = naming;
  const client = `${domain}/${commandName}-client`;
  const ofAgents = `${client}-${nodeAgentName}`;
  const signers = `${client} ${ofAgents} ${domain}/${nodeAgentName}-serving ${domain}/legacy-unknown`;
  return [
    [
      "certificate-controller",
      [
        words.rule(`delete ${read}`, "certificates", "certificatesigningrequests"),
        words.rule(
          "update",
          "certificates",
          "certificatesigningrequests/approval certificatesigningrequests/status",
        ),
        words.rule("approve", "certificates", "signers", ofAgents),
        words.rule("sign", "certificates", "signers", signers),
        words.rule("create", "authorization", "subjectaccessreviews"),
        words.events,
      ],
    ],
    [
      "clusterrole-aggregation-controller",
      [words.rule(`escalate patch update ${read}`, "rbac.authorization", "clusterroles")],
    ],
    ["generic-garbage-collector", [words.rule(`delete patch update ${read}`, "*", "*"), words.events]],
    [
      "namespace-controller",
      [
        words.rule(`delete ${read}`, "core", "namespaces"),
        words.rule("update", "core", "namespaces/finalize namespaces/status"),
        words.rule(`delete deletecollection get list${watch}`, "*", "*"),
      ],
    ],
    [
      "node-controller",
      [
        words.rule(`delete get list patch update${watch}`, "core", "nodes"),
        words.rule("patch update", "core", "nodes/status"),
        words.rule(tellsOfDisruptions ? "patch update" : "update", "core", "pods/status"),
        words.rule(has("1.31") ? `delete get list${watch}` : "delete list", "core", "pods"),
        ...when(
          has("1.25") && !has("1.30"),
          words.rule("create get list update", "networking", "clustercidrs"),
        ),
        words.events,
        ...when(!has("1.31") && tellsOfDisruptions, words.rule("get", "core", "pods")),
      ],
    ],
    [
      "pod-garbage-collector",
      [
        words.rule("delete list watch", "core", "pods"),
        words.rule(`get list${watch}`, "core", "nodes"),
        ...when(tellsOfDisruptions, words.rule("patch", "core", "pods/status")),
      ],
    ],
    [
      "resourcequota-controller",
      [
        words.rule("list watch", "*", "*"),
        words.rule("update", "core", "resourcequotas/status"),
        words.events,
      ],
    ],
    ["root-ca-cert-publisher", [words.rule("create update", "core", "configmaps"), words.events]],
    ["service-account-controller", [words.rule("create", "core", "serviceaccounts"), words.events]],
    ["ttl-controller", [words.rule("list patch update watch", "core", "nodes"), words.events]],
  ];
}

function networkRules(words: RuleWords, gates: FeatureGates): Entries {
  const change = `create delete get list update${isAtLeast(gates.level, "1.32") ? " watch" : ""}`;
  const slices = words.rule(change, "discovery", "endpointslices");
  return [
    [
      "endpoint-controller",
      [
        words.rule(read, "core", "pods services"),
        words.rule(change, "core", "endpoints"),
        words.rule("create", "core", "endpoints/restricted"),
        words.events,
      ],
    ],
    [
      "endpointslice-controller",
      [
        words.rule(read, "core", "nodes pods services"),
        words.rule("update", "core", "services/finalizers"),
        slices,
        words.events,
      ],
    ],
    [
      "endpointslicemirroring-controller",
      [
        words.rule(read, "core", "endpoints services"),
        words.rule("update", "core", "services/finalizers"),
        words.rule("update", "core", "endpoints/finalizers"),
        slices,
        words.events,
      ],
    ],
    [
      "route-controller",
      [words.rule("list watch", "core", "nodes"), words.rule("patch", "core", "nodes/status"), words.events],
    ],
    [
      "service-controller",
      [
        words.rule(read, "core", "services"),
        words.rule("patch update", "core", "services/status"),
        words.rule("list watch", "core", "nodes"),
        words.events,
      ],
    ],
  ];
}

function storageVersionRules(words: RuleWords): Entries {
  return [
    [
      "storage-version-garbage-collector",
      [
        words.rule(read, "coordination", "leases"),
        words.rule(`delete patch update ${read}`, "internal.apiserver", "storageversions"),
        words.rule("get patch update", "internal.apiserver", "storageversions/status"),
      ],
    ],
  ];
}
