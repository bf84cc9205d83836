import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { PolicyRule } from "../../apis/gen/rbac-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { type RuleWords, read, readWrite, when } from "./policy-rules.js";

/** What the scheduler may do. Source: Kubernetes' `bootstrappolicy` at each level. */
export function schedulerRules(
  { prefix }: Naming,
  words: RuleWords,
  gates: FeatureGates,
): readonly PolicyRule[] {
  const has = (level: ApiLevel): boolean => isAtLeast(gates.level, level);
  const lock = `${prefix}-scheduler`;
  return [
    words.events,
    ...(has("1.31")
      ? [
          words.rule("create", "coordination", "leases"),
          words.rule(`${read} update`, "coordination", "leases", lock),
          words.rule(readWrite, "coordination", "leasecandidates"),
        ]
      : words.leader(lock, gates.level)),
    words.rule(read, "core", "nodes"),
    words.rule(`delete ${read}`, "core", "pods"),
    words.rule("create", "core", "bindings pods/binding"),
    words.rule("patch update", "core", "pods/status"),
    words.rule(read, "core", "replicationcontrollers services"),
    words.rule(read, "apps extensions", "replicasets"),
    words.rule(read, "apps", "statefulsets"),
    words.rule(read, "policy", "poddisruptionbudgets"),
    words.rule(read, "core", "persistentvolumeclaims persistentvolumes"),
    ...words.reviews,
    words.rule(read, "storage", "csinodes"),
    ...when(has("1.32"), words.rule(read, "storage", "volumeattachments")),
    words.rule(read, "core", "namespaces"),
    words.rule(read, "storage", "csidrivers"),
    words.rule(read, "storage", "csistoragecapacities"),
    ...(has("1.26") && gates.isEnabled("DynamicResourceAllocation") ? deviceRules(words, gates) : []),
    ...(has("1.35") && gates.isEnabled("GenericWorkload") ? workloadRules(words, gates) : []),
  ];
}

/** What the scheduler needs to allocate devices. */
function deviceRules(words: RuleWords, gates: FeatureGates): readonly PolicyRule[] {
  const has = (level: ApiLevel): boolean => isAtLeast(gates.level, level);
  const rule = (verbs: string, resources: string): PolicyRule => words.rule(verbs, "resource", resources);
  const readUpdate = `${read} patch update`;
  const schedulings = has("1.27") ? "podschedulingcontexts" : "podschedulings";
  const negotiation = has("1.32") ? [] : [rule(readWrite, schedulings), rule(read, `${schedulings}/status`)];
  if (!has("1.30")) {
    return [
      rule(read, "resourceclaims resourceclasses"),
      rule(readUpdate, "resourceclaims/status"),
      ...negotiation,
    ];
  }
  const slices = has("1.31")
    ? "resourceslices"
    : "resourceclaimparameters resourceclassparameters resourceslices";
  return [
    rule(read, has("1.31") ? "deviceclasses" : "resourceclasses"),
    rule(readUpdate, "resourceclaims"),
    rule(readUpdate, "resourceclaims/status"),
    ...negotiation,
    words.rule(has("1.34") ? "update" : readUpdate, "core", "pods/finalizers"),
    rule(read, slices),
    ...when(gates.isEnabled("DRAExtendedResource"), rule("create delete", "resourceclaims")),
    ...when(seesTaintRules(gates), rule(read, "devicetaintrules")),
    ...when(
      gates.isEnabled("DRAResourceClaimGranularStatusAuthorization"),
      rule("patch update", "resourceclaims/binding"),
    ),
  ];
}

function seesTaintRules(gates: FeatureGates): boolean {
  if (isAtLeast(gates.level, "1.35")) return gates.isEnabled("DRADeviceTaintRules");
  return isAtLeast(gates.level, "1.34") ? gates.isEnabled("DRADeviceTaints") : isAtLeast(gates.level, "1.33");
}

function workloadRules(words: RuleWords, gates: FeatureGates): readonly PolicyRule[] {
  return isAtLeast(gates.level, "1.36")
    ? [
        words.rule(read, "scheduling", "podgroups"),
        words.rule("patch update", "scheduling", "podgroups/status"),
      ]
    : [words.rule(read, "scheduling", "workloads")];
}
