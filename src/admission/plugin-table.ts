import { messageOf } from "../apimachinery/errors/message-of.js";
import { type ApiLevel, hasLevel, type LevelRange } from "../apimachinery/levels/api-level.js";
import type { AdmissionPlugin, NamedPlugin } from "./chain/admission-plugin.js";
import type { PluginConfigurations } from "./configuration/admission-configuration.js";
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from "./plugins/admission-webhooks.js";
import { alwaysAdmit, alwaysDeny } from "./plugins/always.js";
import { alwaysPullImages } from "./plugins/always-pull-images.js";
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
} from "./plugins/certificates.js";
import { defaultIngressClass, defaultStorageClass } from "./plugins/default-class.js";
import { defaultTolerationSeconds } from "./plugins/default-toleration-seconds.js";
import { denyServiceExternalIps } from "./plugins/deny-service-external-ips.js";
import { eventRateLimit } from "./plugins/event-rate-limit.js";
import { extendedResourceToleration } from "./plugins/extended-resource-toleration.js";
import { imagePolicyWebhook } from "./plugins/image-policy-webhook.js";
import { limitPodHardAntiAffinityTopology } from "./plugins/limit-pod-hard-anti-affinity-topology.js";
import { limitRanger } from "./plugins/limit-ranger.js";
import { mutatingAdmissionPolicy } from "./plugins/mutating-admission-policy.js";
import { namespaceAutoProvision, namespaceExists } from "./plugins/namespace-exists.js";
import { namespaceLifecycle } from "./plugins/namespace-lifecycle.js";
import { nodeDeclaredFeatureValidator } from "./plugins/node-declared-feature-validator.js";
import { nodeRestriction } from "./plugins/node-restriction.js";
import { ownerReferencesPermissionEnforcement } from "./plugins/owner-references-permission-enforcement.js";
import { persistentVolumeClaimResize } from "./plugins/persistent-volume-claim-resize.js";
import { persistentVolumeLabel } from "./plugins/persistent-volume-label.js";
import type { PluginContext } from "./plugins/plugin-context.js";
import { jobValidation, podGroupProtection, podGroupWorkloadExists } from "./plugins/pod-groups.js";
import { podNodeSelector } from "./plugins/pod-node-selector.js";
import { podResizeValidator } from "./plugins/pod-resize-validator.js";
import { podSecurity } from "./plugins/pod-security.js";
import { podSecurityPolicy } from "./plugins/pod-security-policy.js";
import { podTolerationRestriction } from "./plugins/pod-toleration-restriction.js";
import { podTopologyLabels } from "./plugins/pod-topology-labels.js";
import { priority } from "./plugins/priority.js";
import { resourceQuota } from "./plugins/resource-quota.js";
import { runtimeClass } from "./plugins/runtime-class.js";
import { securityContextDeny } from "./plugins/security-context-deny.js";
import { serviceAccount } from "./plugins/service-account.js";
import { storageObjectInUseProtection } from "./plugins/storage-object-in-use-protection.js";
import { taintNodesByCondition } from "./plugins/taint-nodes-by-condition.js";
import { validatingAdmissionPolicy } from "./plugins/validating-admission-policy.js";

export interface PluginDeclaration extends LevelRange {
  readonly name: string;
  /** Enabled unless `--disable-admission-plugins` names it. */
  readonly byDefault?: boolean;
  /** Whether the file of `--admission-control-config-file` may configure it. */
  readonly isConfigurable?: boolean;
  /** The first level with this configuration, unless all have it. */
  readonly configurableSince?: ApiLevel;
  /**
   * `configuration` is that file's part for the plugin: the fields of its kind, undefined without one. Throws an `Error` that says what is
   * wrong with it.
   */
  create(context: PluginContext, configuration: unknown): AdmissionPlugin;
}

/** Every plugin, in the order in which they run. Source: `AllOrderedPlugins` of each release. */
const declarations = [
  { name: "AlwaysAdmit", create: alwaysAdmit },
  { name: "NamespaceAutoProvision", create: namespaceAutoProvision },
  { name: "NamespaceLifecycle", byDefault: true, create: namespaceLifecycle },
  { name: "NamespaceExists", create: namespaceExists },
  { name: "SecurityContextDeny", until: "1.30", create: securityContextDeny },
  { name: "LimitPodHardAntiAffinityTopology", create: limitPodHardAntiAffinityTopology },
  { name: "LimitRanger", byDefault: true, create: limitRanger },
  { name: "ServiceAccount", byDefault: true, create: serviceAccount },
  { name: "NodeRestriction", create: nodeRestriction },
  { name: "TaintNodesByCondition", byDefault: true, create: taintNodesByCondition },
  { name: "AlwaysPullImages", create: alwaysPullImages },
  { name: "ImagePolicyWebhook", isConfigurable: true, create: imagePolicyWebhook },
  { name: "PodSecurity", byDefault: true, isConfigurable: true, create: podSecurity },
  { name: "PodSecurityPolicy", until: "1.25", create: podSecurityPolicy },
  { name: "PodNodeSelector", isConfigurable: true, create: podNodeSelector },
  { name: "Priority", byDefault: true, create: priority },
  { name: "DefaultTolerationSeconds", byDefault: true, create: defaultTolerationSeconds },
  { name: "PodTolerationRestriction", isConfigurable: true, create: podTolerationRestriction },
  { name: "EventRateLimit", isConfigurable: true, create: eventRateLimit },
  { name: "ExtendedResourceToleration", create: extendedResourceToleration },
  { name: "PersistentVolumeLabel", until: "1.31", create: persistentVolumeLabel },
  { name: "DefaultStorageClass", byDefault: true, create: defaultStorageClass },
  { name: "StorageObjectInUseProtection", byDefault: true, create: storageObjectInUseProtection },
  { name: "PodGroupProtection", since: "1.36", byDefault: true, create: podGroupProtection },
  { name: "OwnerReferencesPermissionEnforcement", create: ownerReferencesPermissionEnforcement },
  { name: "PersistentVolumeClaimResize", byDefault: true, create: persistentVolumeClaimResize },
  { name: "RuntimeClass", byDefault: true, create: runtimeClass },
  { name: "CertificateApproval", byDefault: true, create: certificateApproval },
  { name: "CertificateSigning", byDefault: true, create: certificateSigning },
  {
    name: "ClusterTrustBundleAttest",
    since: "1.27",
    byDefault: true,
    create: clusterTrustBundleAttest,
  },
  { name: "CertificateSubjectRestriction", byDefault: true, create: certificateSubjectRestriction },
  { name: "DefaultIngressClass", byDefault: true, create: defaultIngressClass },
  { name: "DenyServiceExternalIPs", create: denyServiceExternalIps },
  { name: "PodTopologyLabels", since: "1.33", byDefault: true, create: podTopologyLabels },
  { name: "PodGroupWorkloadExists", since: "1.36", byDefault: true, create: podGroupWorkloadExists },
  {
    name: "NodeDeclaredFeatureValidator",
    since: "1.35",
    byDefault: true,
    create: nodeDeclaredFeatureValidator,
  },
  { name: "JobValidation", since: "1.36", byDefault: true, create: jobValidation },
  { name: "PodResizeValidator", since: "1.36", byDefault: true, create: podResizeValidator },
  {
    name: "MutatingAdmissionPolicy",
    since: "1.32",
    byDefault: true,
    isConfigurable: true,
    configurableSince: "1.36",
    create: mutatingAdmissionPolicy,
  },
  {
    name: "MutatingAdmissionWebhook",
    byDefault: true,
    isConfigurable: true,
    create: mutatingAdmissionWebhook,
  },
  {
    name: "ValidatingAdmissionPolicy",
    since: "1.26",
    byDefault: true,
    isConfigurable: true,
    configurableSince: "1.36",
    create: validatingAdmissionPolicy,
  },
  {
    name: "ValidatingAdmissionWebhook",
    byDefault: true,
    isConfigurable: true,
    create: validatingAdmissionWebhook,
  },
  { name: "ResourceQuota", byDefault: true, isConfigurable: true, create: resourceQuota },
  { name: "AlwaysDeny", create: alwaysDeny },
] as const satisfies readonly PluginDeclaration[];

export type AdmissionPluginName = (typeof declarations)[number]["name"];

export const pluginTable: readonly (PluginDeclaration & { readonly name: AdmissionPluginName })[] =
  declarations;

export interface PluginSelection {
  /** Plugins that this level lacks are left out. */
  readonly level: ApiLevel;
  /** In addition to the default ones. */
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/** The enabled plugins, in order. Throws an `Error` that names the plugin whose configuration is wrong. */
export function createPlugins(
  { level, enabled, disabled }: PluginSelection,
  configurations: PluginConfigurations,
  context: PluginContext,
): readonly NamedPlugin[] {
  return pluginTable
    .filter((plugin) => hasLevel(plugin, level))
    .filter(
      ({ name, byDefault }) => enabled.includes(name) || (byDefault === true && !disabled.includes(name)),
    )
    .map(({ name, create }) => {
      try {
        return { name, plugin: create(context, configurations.get(name)) };
      } catch (error) {
        const reason = messageOf(error);
        throw new Error(`couldn't init admission plugin "${name}": ${reason}`, { cause: error });
      }
    });
}
