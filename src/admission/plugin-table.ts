import type { AdmissionPlugin, NamedPlugin } from "./admission-plugin.js";
import type { PluginConfigurations, PluginContext } from "./plugin-context.js";
import { namespaceLifecycle } from "./plugins/namespace-lifecycle.js";

export interface PluginDeclaration {
  readonly name: string;
  /** In force unless `--disable-admission-plugins` names it. */
  readonly byDefault?: boolean;
  /** Whether the file of `--admission-control-config-file` may configure it. */
  readonly isConfigurable?: boolean;
  /**
   * `configuration` is what that file says of the plugin: the fields of its own kind, undefined when it says nothing. Throws an
   * `Error` that says what is wrong with it. Missing for a plugin that is not built yet.
   */
  create?(context: PluginContext, configuration: unknown): AdmissionPlugin;
}

/** Every plugin, in the order in which they run. Source: `AllOrderedPlugins` of release 1.23. */
const declarations = [
  { name: "AlwaysAdmit" },
  { name: "NamespaceAutoProvision" },
  { name: "NamespaceLifecycle", byDefault: true, create: createNamespaceLifecycle },
  { name: "NamespaceExists" },
  { name: "SecurityContextDeny" },
  { name: "LimitPodHardAntiAffinityTopology" },
  { name: "LimitRanger", byDefault: true },
  { name: "ServiceAccount", byDefault: true },
  { name: "NodeRestriction" },
  { name: "TaintNodesByCondition", byDefault: true },
  { name: "AlwaysPullImages" },
  { name: "ImagePolicyWebhook", isConfigurable: true },
  { name: "PodSecurity", byDefault: true, isConfigurable: true },
  { name: "PodSecurityPolicy" },
  { name: "PodNodeSelector", isConfigurable: true },
  { name: "Priority", byDefault: true },
  { name: "DefaultTolerationSeconds", byDefault: true },
  { name: "PodTolerationRestriction", isConfigurable: true },
  { name: "EventRateLimit", isConfigurable: true },
  { name: "ExtendedResourceToleration" },
  { name: "PersistentVolumeLabel" },
  { name: "DefaultStorageClass", byDefault: true },
  { name: "StorageObjectInUseProtection", byDefault: true },
  { name: "OwnerReferencesPermissionEnforcement" },
  { name: "PersistentVolumeClaimResize", byDefault: true },
  { name: "RuntimeClass", byDefault: true },
  { name: "CertificateApproval", byDefault: true },
  { name: "CertificateSigning", byDefault: true },
  { name: "CertificateSubjectRestriction", byDefault: true },
  { name: "DefaultIngressClass", byDefault: true },
  { name: "DenyServiceExternalIPs" },
  { name: "MutatingAdmissionWebhook", byDefault: true, isConfigurable: true },
  { name: "ValidatingAdmissionWebhook", byDefault: true, isConfigurable: true },
  { name: "ResourceQuota", byDefault: true, isConfigurable: true },
  { name: "AlwaysDeny" },
] as const satisfies readonly PluginDeclaration[];

export type AdmissionPluginName = (typeof declarations)[number]["name"];

export const pluginTable: readonly (PluginDeclaration & { readonly name: AdmissionPluginName })[] =
  declarations;

export interface PluginSelection {
  /** Besides those that are on by default. */
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/** The plugins in force, in order. Throws an `Error` that names the plugin whose configuration is wrong. */
export function createPlugins(
  { enabled, disabled }: PluginSelection,
  configurations: PluginConfigurations,
  context: PluginContext,
): readonly NamedPlugin[] {
  return pluginTable
    .filter(
      ({ name, byDefault }) => enabled.includes(name) || (byDefault === true && !disabled.includes(name)),
    )
    .flatMap(({ name, create }) => {
      if (create === undefined) return [];
      try {
        return [{ name, plugin: create(context, configurations.get(name)) }];
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`couldn't init admission plugin "${name}": ${reason}`, { cause: error });
      }
    });
}

function createNamespaceLifecycle({ naming, namespaces, now }: PluginContext): AdmissionPlugin {
  return namespaceLifecycle({
    namespaces,
    immortal: ["default", naming.systemNamespace, naming.publicNamespace],
    exempt: [`${naming.group("authorization")}/localsubjectaccessreviews`],
    now,
  });
}
