import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { PolicyRule } from "../../apis/gen/rbac-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { type RuleWords, read, when } from "./policy-rules.js";

type ControllerRules = readonly [controller: string, rules: readonly PolicyRule[]];

/** Controllers that came after 1.23, each at its level and with its gate. */
export function laterControllerRules(
  naming: Naming,
  words: RuleWords,
  gates: FeatureGates,
): readonly ControllerRules[] {
  const has = (since: ApiLevel, gate: FeatureGateName): boolean =>
    isAtLeast(gates.level, since) && gates.isEnabled(gate);
  const migrates = migratorVerbs(gates.level);
  const entries: ControllerRules[] = [];
  if (has("1.26", "DynamicResourceAllocation")) entries.push(...deviceControllers(words, gates));
  if (has("1.28", "ValidatingAdmissionPolicy")) {
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
        words.rule(migrates, "*", "*"),
        ...(isAtLeast(gates.level, "1.36")
          ? [
              words.rule("get", "apiextensions", "customresourcedefinitions"),
              words.rule("patch", "apiextensions", "customresourcedefinitions/status"),
            ]
          : []),
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
  if (has("1.32", "ClusterTrustBundle")) {
    entries.push([
      `${naming.commandName}-serving-clustertrustbundle-publisher`,
      [
        words.rule("attest", "certificates", "signers", `${naming.domain}/${naming.commandName}-serving`),
        words.rule("create delete list update watch", "certificates", "clustertrustbundles"),
        words.events,
      ],
    ]);
  }
  if (has("1.32", "SELinuxChangePolicy")) {
    entries.push([
      "selinux-warning-controller",
      [
        words.events,
        words.rule(read, "core", "persistentvolumes"),
        words.rule(read, "core", "persistentvolumeclaims"),
        words.rule(read, "core", "pods"),
        words.rule(read, "storage", "csidrivers"),
      ],
    ]);
  }
  if (has("1.34", "PodCertificateRequest")) {
    entries.push([
      "podcertificaterequestcleaner",
      [words.rule(`delete ${read}`, "certificates", "podcertificaterequests")],
    ]);
  }
  if (has("1.36", "GenericWorkload")) {
    entries.push([
      "podgroup-protection-controller",
      [words.rule(`${read} update`, "scheduling", "podgroups"), words.rule(read, "core", "pods")],
    ]);
  }
  return entries;
}

function migratorVerbs(level: ApiLevel): string {
  if (!isAtLeast(level, "1.31")) return "list patch";
  return isAtLeast(level, "1.32") && !isAtLeast(level, "1.35")
    ? "create list patch watch"
    : "create list patch";
}

function deviceControllers(words: RuleWords, gates: FeatureGates): readonly ControllerRules[] {
  const isSince = (level: ApiLevel): boolean => isAtLeast(gates.level, level);
  const has = (since: ApiLevel, gate: FeatureGateName): boolean => isSince(since) && gates.isEnabled(gate);
  const claims: ControllerRules = [
    "resource-claim-controller",
    [
      words.rule(read, "core", "pods"),
      words.rule("update", "core", "pods/finalizers"),
      words.rule(isSince("1.28") ? `create delete ${read}` : `create ${read}`, "resource", "resourceclaims"),
      ...when(
        isSince("1.28") && !isSince("1.32"),
        words.rule(`create ${read} patch update`, "resource", "podschedulingcontexts"),
      ),
      words.rule(
        "patch update",
        "resource",
        isSince("1.30") ? "resourceclaims resourceclaims/status" : "resourceclaims/status",
      ),
      ...when(isSince("1.28"), words.rule("patch update", "core", "pods/status")),
      words.events,
      ...(has("1.36", "DRAWorkloadResourceClaims")
        ? [
            words.rule(read, "scheduling", "podgroups"),
            words.rule("patch update", "scheduling", "podgroups/status"),
          ]
        : []),
      ...when(
        has("1.36", "DRAResourceClaimGranularStatusAuthorization"),
        words.rule("patch update", "resource", "resourceclaims/binding"),
      ),
    ],
  ];
  const taints: ControllerRules = [
    "device-taint-eviction-controller",
    [
      words.rule(`delete ${read}`, "core", "pods"),
      words.rule("patch update", "core", "pods/status"),
      words.rule(read, "resource", "resourceclaims"),
      words.rule(read, "resource", "resourceslices"),
      words.rule(read, "resource", "deviceclasses"),
      words.events,
      ...when(!isSince("1.35"), words.rule(read, "resource", "devicetaintrules")),
      ...(has("1.35", "DRADeviceTaintRules")
        ? [
            words.rule("patch update", "resource", "devicetaintrules/status"),
            words.rule(read, "resource", "devicetaintrules"),
          ]
        : []),
    ],
  ];
  const pools: ControllerRules = [
    "resourcepoolstatusrequest-controller",
    [
      words.rule(`delete ${read}`, "resource", "resourcepoolstatusrequests"),
      words.rule("patch update", "resource", "resourcepoolstatusrequests/status"),
      words.rule(read, "resource", "resourceslices"),
      words.rule(read, "resource", "resourceclaims"),
    ],
  ];
  return [
    claims,
    ...(has("1.33", "DRADeviceTaints") ? [taints] : []),
    ...(has("1.36", "DRAResourcePoolStatus") ? [pools] : []),
  ];
}
