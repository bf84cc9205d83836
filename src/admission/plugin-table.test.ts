import { expect, test } from "vitest";
import { type ApiLevel, hasLevel } from "../apimachinery/levels/api-level.js";
import { pluginTable } from "./plugin-table.js";

const at = (level: ApiLevel) => pluginTable.filter((plugin) => hasLevel(plugin, level));

test.each<[ApiLevel, ApiLevel, readonly string[]]>([
  ["1.25", "1.26", ["ValidatingAdmissionPolicy"]],
  ["1.26", "1.27", ["ClusterTrustBundleAttest"]],
  ["1.31", "1.32", ["MutatingAdmissionPolicy"]],
  ["1.32", "1.33", ["PodTopologyLabels"]],
  ["1.34", "1.35", ["NodeDeclaredFeatureValidator"]],
  ["1.35", "1.36", ["PodGroupProtection", "PodGroupWorkloadExists", "JobValidation", "PodResizeValidator"]],
])("after %s, %s has the plugins %j, which are on by default", (before, level, added) => {
  const known = new Set(at(before).map(({ name }) => name));
  const found = at(level).filter(({ name }) => !known.has(name));
  expect(found.map(({ name }) => name)).toEqual(added);
  expect(found.every(({ byDefault }) => byDefault)).toBe(true);
});

test("the plugins of the newest level run in Kubernetes' order", () => {
  expect(at("1.36").map(({ name }) => name)).toEqual([
    "AlwaysAdmit",
    "NamespaceAutoProvision",
    "NamespaceLifecycle",
    "NamespaceExists",
    "LimitPodHardAntiAffinityTopology",
    "LimitRanger",
    "ServiceAccount",
    "NodeRestriction",
    "TaintNodesByCondition",
    "AlwaysPullImages",
    "ImagePolicyWebhook",
    "PodSecurity",
    "PodNodeSelector",
    "Priority",
    "DefaultTolerationSeconds",
    "PodTolerationRestriction",
    "EventRateLimit",
    "ExtendedResourceToleration",
    "DefaultStorageClass",
    "StorageObjectInUseProtection",
    "PodGroupProtection",
    "OwnerReferencesPermissionEnforcement",
    "PersistentVolumeClaimResize",
    "RuntimeClass",
    "CertificateApproval",
    "CertificateSigning",
    "ClusterTrustBundleAttest",
    "CertificateSubjectRestriction",
    "DefaultIngressClass",
    "DenyServiceExternalIPs",
    "PodTopologyLabels",
    "PodGroupWorkloadExists",
    "NodeDeclaredFeatureValidator",
    "JobValidation",
    "PodResizeValidator",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionWebhook",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionWebhook",
    "ResourceQuota",
    "AlwaysDeny",
  ]);
});
