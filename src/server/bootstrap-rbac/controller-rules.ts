import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { PolicyRule } from "../../apis/gen/rbac-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { usesStorageVersions } from "../settings/uses-storage-versions.js";
import { type RuleWords, read } from "./policy-rules.js";

/** The permissions of each controller, by the name of its service account. */
export function controllerRules(
  naming: Naming,
  words: RuleWords,
  gates: FeatureGates,
): ReadonlyMap<string, readonly PolicyRule[]> {
  return new Map([
    ...workloadRules(words, gates),
    ...volumeRules(words),
    ...clusterRules(naming, words, gates),
    ...networkRules(words),
    ...laterRules(naming, words, gates),
    ...(usesStorageVersions(gates) ? storageVersionRules(words) : []),
  ]);
}

type Entries = readonly (readonly [string, readonly PolicyRule[]])[];

function workloadRules(words: RuleWords, gates: FeatureGates): Entries {
  const owner = "apps extensions";
  const runPods = words.rule("create delete list patch watch", "core", "pods");
  const revisions = words.rule(`create delete patch update ${read}`, "apps", "controllerrevisions");
  return [
    [
      "cronjob-controller",
      [
        words.rule(`${read} update`, "batch", "cronjobs"),
        words.rule(`create delete patch update ${read}`, "batch", "jobs"),
        words.rule("update", "batch", "cronjobs/status"),
        words.rule("update", "batch", "cronjobs/finalizers"),
        words.rule("delete list", "core", "pods"),
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
        words.rule("create get", "core", "persistentvolumeclaims"),
        words.events,
        ...(gates.enabled("StatefulSetAutoDeletePVC")
          ? [words.rule("update", "core", "persistentvolumeclaims")]
          : []),
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
        ...(gates.enabled("PodDisruptionConditions")
          ? [words.rule("patch update", "core", "pods/status")]
          : []),
        words.rule("get", "*", "*/scale"),
        words.events,
      ],
    ],
    [
      "horizontal-pod-autoscaler",
      [
        words.rule(read, "autoscaling", "horizontalpodautoscalers"),
        words.rule("update", "autoscaling", "horizontalpodautoscalers/status"),
        words.rule("get update", "*", "*/scale"),
        words.rule("list", "core", "pods"),
        words.rule("get", "core", "services/proxy", "http:heapster: https:heapster:"),
        words.rule("list", "metrics", "pods"),
        words.rule("get list", "custom.metrics", "*"),
        words.events,
      ],
    ],
  ];
}

function volumeRules(words: RuleWords): Entries {
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
        words.rule(read, "storage", "storageclasses"),
        words.rule("get", "core", "endpoints services"),
        words.rule("get", "core", "secrets"),
        words.events,
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
        words.rule("create delete get update", "core", "endpoints"),
        words.rule("create delete get", "core", "services"),
        words.rule("get", "core", "secrets"),
        words.rule("get list", "core", "nodes"),
        words.rule("watch", "core", "events"),
        words.events,
      ],
    ],
    ["pv-protection-controller", [words.rule(`${read} update`, "core", "persistentvolumes"), words.events]],
    [
      "pvc-protection-controller",
      [
        words.rule(`${read} update`, "core", "persistentvolumeclaims"),
        words.rule(read, "core", "pods"),
        words.events,
      ],
    ],
  ];
}

function clusterRules(naming: Naming, words: RuleWords, gates: FeatureGates): Entries {
  const tellsOfDisruptions = gates.enabled("PodDisruptionConditions");
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
        words.rule("delete deletecollection get list", "*", "*"),
      ],
    ],
    [
      "node-controller",
      [
        words.rule("delete get list patch update", "core", "nodes"),
        words.rule("patch update", "core", "nodes/status"),
        words.rule(tellsOfDisruptions ? "patch update" : "update", "core", "pods/status"),
        words.rule(tellsOfDisruptions ? "delete get list" : "delete list", "core", "pods"),
        words.events,
      ],
    ],
    [
      "pod-garbage-collector",
      [
        words.rule("delete list watch", "core", "pods"),
        words.rule("get list", "core", "nodes"),
        ...(tellsOfDisruptions ? [words.rule("patch", "core", "pods/status")] : []),
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

function networkRules(words: RuleWords): Entries {
  const slices = words.rule("create delete get list update", "discovery", "endpointslices");
  return [
    [
      "endpoint-controller",
      [
        words.rule(read, "core", "pods services"),
        words.rule("create delete get list update", "core", "endpoints"),
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

/** Controllers that came after 1.23, each at its level and with its gate. */
function laterRules(naming: Naming, words: RuleWords, gates: FeatureGates): Entries {
  const has = (since: ApiLevel, gate: FeatureGateName): boolean =>
    isAtLeast(gates.level, since) && gates.enabled(gate);
  const entries: (readonly [string, readonly PolicyRule[]])[] = [];
  if (has("1.26", "DynamicResourceAllocation")) {
    entries.push([
      "resource-claim-controller",
      [
        words.rule(read, "core", "pods"),
        words.rule("update", "core", "pods/finalizers"),
        words.rule(`create delete ${read}`, "resource", "resourceclaims"),
        words.rule("patch update", "resource", "resourceclaims resourceclaims/status"),
        words.rule("patch update", "core", "pods/status"),
        words.events,
      ],
    ]);
  }
  if (has("1.27", "ValidatingAdmissionPolicy")) {
    entries.push([
      "validatingadmissionpolicy-status-controller",
      [
        words.rule(read, "admissionregistration", "validatingadmissionpolicies"),
        words.rule("get patch update", "admissionregistration", "validatingadmissionpolicies/status"),
        words.events,
      ],
    ]);
  }
  if (has("1.28", "LegacyServiceAccountTokenCleanUp")) {
    const tracking = `${naming.commandName}-legacy-service-account-token-tracking`;
    entries.push([
      "legacy-service-account-token-cleaner",
      [words.rule("get", "core", "configmaps", tracking), words.rule("delete patch", "core", "secrets")],
    ]);
  }
  if (has("1.29", "MultiCIDRServiceAllocator")) {
    entries.push([
      "service-cidrs-controller",
      [
        words.rule(`${read} patch update`, "networking", "servicecidrs"),
        words.rule("patch update", "networking", "servicecidrs/finalizers"),
        words.rule("patch update", "networking", "servicecidrs/status"),
        words.rule(read, "networking", "ipaddresses"),
        words.events,
      ],
    ]);
  }
  if (has("1.30", "StorageVersionMigrator")) {
    entries.push([
      "storage-version-migrator-controller",
      [
        words.rule("create list patch", "*", "*"),
        words.rule("update", "storagemigration", "storageversionmigrations/status"),
      ],
    ]);
  }
  if (has("1.32", "VolumeAttributesClass")) {
    entries.push([
      "volumeattributesclass-protection-controller",
      [
        words.rule(read, "core", "persistentvolumeclaims"),
        words.rule(read, "core", "persistentvolumes"),
        words.rule(`${read} update`, "storage", "volumeattributesclasses"),
        words.events,
      ],
    ]);
  }
  return entries;
}
