import { optionGroup } from "../option.js";
import { choices, text } from "../value-types.js";

/** Contract 2, §5. */
const admissionPlugins = [
  "AlwaysAdmit",
  "AlwaysDeny",
  "AlwaysPullImages",
  "CertificateApproval",
  "CertificateSigning",
  "CertificateSubjectRestriction",
  "DefaultIngressClass",
  "DefaultStorageClass",
  "DefaultTolerationSeconds",
  "DenyServiceExternalIPs",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "ImagePolicyWebhook",
  "LimitPodHardAntiAffinityTopology",
  "LimitRanger",
  "MutatingAdmissionWebhook",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "NamespaceLifecycle",
  "NodeRestriction",
  "OwnerReferencesPermissionEnforcement",
  "PersistentVolumeClaimResize",
  "PersistentVolumeLabel",
  "PodNodeSelector",
  "PodSecurity",
  "PodSecurityPolicy",
  "PodTolerationRestriction",
  "Priority",
  "ResourceQuota",
  "RuntimeClass",
  "SecurityContextDeny",
  "ServiceAccount",
  "StorageObjectInUseProtection",
  "TaintNodesByCondition",
  "ValidatingAdmissionWebhook",
] as const;
export type AdmissionPluginName = (typeof admissionPlugins)[number];

/** In force unless disabled. */
const defaultAdmissionPlugins: readonly AdmissionPluginName[] = [
  "NamespaceLifecycle",
  "LimitRanger",
  "ServiceAccount",
  "TaintNodesByCondition",
  "PodSecurity",
  "Priority",
  "DefaultTolerationSeconds",
  "DefaultStorageClass",
  "StorageObjectInUseProtection",
  "PersistentVolumeClaimResize",
  "RuntimeClass",
  "CertificateApproval",
  "CertificateSigning",
  "CertificateSubjectRestriction",
  "DefaultIngressClass",
  "MutatingAdmissionWebhook",
  "ValidatingAdmissionWebhook",
  "ResourceQuota",
];

export const admission = optionGroup("Admission", {
  "enable-admission-plugins": choices(admissionPlugins, {
    itemName: "plugin",
    help: `Admission plugins to use besides those that are on by default (${defaultAdmissionPlugins.join(", ")}). Their order does not matter. All plugins: ${admissionPlugins.join(", ")}.`,
    notYet: "admission plugins",
  }),
  "disable-admission-plugins": choices(admissionPlugins, {
    itemName: "plugin",
    help: "Admission plugins not to use although they are on by default. Their order does not matter.",
    notYet: "admission plugins",
  }),
  "admission-control-config-file": text({
    help: "Configuration file of admission.",
    notYet: "admission plugins",
  }),
});
