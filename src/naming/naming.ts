/**
 * Every identifier that contains a vendor word, in both profiles. This folder is the only one that spells them (`vendor-words.test.ts`
 * checks it): the rest of the server uses a `Naming`.
 */

export const profileNames = ["orch", "kubernetes"] as const;
export type ProfileName = (typeof profileNames)[number];

/** The environment variable in which envtest of controller-runtime looks for its programs, in either profile. */
export const envtestAssetsVariable = "KUBEBUILDER_ASSETS";

export interface Naming {
  readonly profile: ProfileName;
  /** The bare vendor word, as in a namespace's finalizer, `/var/run/<vendor>`, and the `<vendor>_build_info` metric. */
  readonly vendor: string;
  /** In sentences: "a future Kubernetes release". */
  readonly vendorTitle: string;
  /** Domain of well-known labels, annotations, taints, secret types and signers: `${domain}/metadata.name`. */
  readonly domain: string;
  /** Domain of API groups, WebSocket subprotocols and identity labels: `v4.channel.${groupDomain}`. */
  readonly groupDomain: string;
  /** Prefix of names of control plane components: `${prefix}-root-ca.crt`, `system:${prefix}-scheduler`. */
  readonly prefix: string;
  readonly commandName: string;
  readonly systemNamespace: string;
  readonly publicNamespace: string;
  readonly nodeLeaseNamespace: string;
  /** The Service and Endpoints of the API server itself, in namespace `default`. */
  readonly apiServiceName: string;
  readonly protobufMediaType: string;
  /** The backing store in health check and metric names. */
  readonly storeName: string;
  /** The backing store's current version, as `--storage-backend` names it. */
  readonly storeBackend: string;
  /** Prefix of every value that is encrypted at rest. */
  readonly encryptedValuePrefix: string;
  /** The agent on each node, in roles, signers and label prefixes: `system:${nodeAgentName}-api-admin`. */
  readonly nodeAgentName: string;
  readonly certDirectory: string;
  /** Config map holding the root CA bundle, in every namespace. */
  readonly rootCaConfigMapName: string;
  /** Host names that in-cluster clients use, without the cluster's DNS domain; longest first. */
  readonly serviceHostNames: readonly string[];
  /** Prefix of definition names in OpenAPI: `${openApiPrefix}.api.core.v1.Pod`. */
  readonly openApiPrefix: string;
  /** Prefix of vendor extensions in OpenAPI and CRD schemas: `${extensionPrefix}list-type`. */
  readonly extensionPrefix: string;
  /** CRD condition about the approval annotation of protected groups. */
  readonly apiApprovalCondition: string;
  readonly users: {
    readonly controllerManager: string;
    readonly scheduler: string;
    readonly proxy: string;
    readonly dns: string;
  };
  /** Health checks named after a vendor; all other check names are the same in both profiles. */
  readonly healthChecks: {
    readonly store: string;
    readonly admissionInitializer: string;
    readonly aggregatorInformers: string;
    readonly autoregistration: string;
  };

  /**
   * The API group of a neutral stem: `rbac.authorization` → `rbac.authorization.k8s.io`. Groups without a vendor part
   * (core `""`, apps, autoscaling, batch, policy, extensions) and full names of other parties pass through.
   */
  group(stem: string): string;
  /** The inverse of `group` for this profile's names; any other group passes through. */
  groupStem(group: string): string;
  /** A JSON field of a built-in type from its neutral name: `nodeagentEndpoint`, `x-orch-list-type`. */
  field(neutral: string): string;
  /** A feature gate from its neutral name: `NodeAgentPodResources`. */
  featureGate(neutral: string): string;
  /** The alternative name of a startup option in this profile: `store-servers` → `etcd-servers`. */
  optionAlias(neutral: string): string | undefined;
  /** Whether CRDs in `group` need the approval annotation `api-approved.${domain}`. */
  isProtectedGroup(group: string): boolean;
}

/** The neutral words are those of the `orch` profile. */
export function createNaming(profile: ProfileName): Naming {
  return profile === "orch" ? orch() : original();
}

/** The API group of the lab, in either profile. */
export const labGroup = "lab.orch.io";

/** The API group of rules for a simulated cluster, and the prefix of its annotations, in either profile. */
export const simulationGroup = "simulation.orch.io";

/** The approval annotation that definitions in these groups need, in the profile that protects them as the project's own. */
export const ownGroupApproval: Readonly<Record<string, string>> = {
  "api-approved.orch.io": "unapproved: the server brings the kind itself",
};

/** The profile whose names existing clients, manifests and libraries use. */
export const clientProfile: ProfileName = "kubernetes";

export function parseProfileName(text: string): ProfileName | undefined {
  return text === "orch" || text === "kubernetes" ? text : undefined;
}

/** The profile of the command that was started, by the base name of its path. */
export function profileOfCommand(commandName: string): ProfileName {
  return commandName.startsWith("kube") ? "kubernetes" : "orch";
}

interface Vocabulary {
  readonly profile: ProfileName;
  readonly domain: string;
  readonly groupDomain: string;
  readonly prefix: string;
  readonly storeName: string;
  readonly storeBackend: string;
  readonly encryptedValuePrefix: string;
  readonly nodeAgentName: string;
  readonly openApiPrefix: string;
  readonly apiApprovalCondition: string;
  readonly protectedGroupDomains: readonly string[];
  readonly field: (neutral: string) => string;
  readonly featureGate: (neutral: string) => string;
  readonly optionAlias: (neutral: string) => string | undefined;
}

function orch(): Naming {
  return fromVocabulary({
    profile: "orch",
    domain: "orch.io",
    groupDomain: "orch.io",
    prefix: "orch",
    storeName: "store",
    storeBackend: "store3",
    encryptedValuePrefix: "orch:enc:",
    nodeAgentName: "nodeagent",
    openApiPrefix: "io.orch",
    apiApprovalCondition: "OrchAPIApprovalPolicyConformant",
    protectedGroupDomains: ["orch.io"],
    field: (neutral) => neutral,
    featureGate: (neutral) => neutral,
    optionAlias: () => undefined,
  });
}

function original(): Naming {
  return fromVocabulary({
    profile: "kubernetes",
    domain: "kubernetes.io",
    groupDomain: "k8s.io",
    prefix: "kube",
    storeName: "etcd",
    storeBackend: "etcd3",
    encryptedValuePrefix: "k8s:enc:",
    nodeAgentName: "kubelet",
    openApiPrefix: "io.k8s",
    apiApprovalCondition: "KubernetesAPIApprovalPolicyConformant",
    protectedGroupDomains: ["k8s.io", "kubernetes.io"],
    field: originalField,
    featureGate: (neutral) => neutral.replace("NodeAgent", "Kubelet").replace("OrchProxy", "KubeProxy"),
    optionAlias: originalOption,
  });
}

const originalFields: ReadonlyMap<string, string> = new Map([
  ["nodeagentConfigKey", "kubeletConfigKey"],
  ["nodeagentEndpoint", "kubeletEndpoint"],
  ["nodeagentVersion", "kubeletVersion"],
  ["orchProxyVersion", "kubeProxyVersion"],
]);

function originalField(neutral: string): string {
  if (neutral.startsWith("x-orch-")) return `x-kubernetes-${neutral.slice("x-orch-".length)}`;
  return originalFields.get(neutral) ?? neutral;
}

const originalOptionPrefixes = [
  ["store-", "etcd-"],
  ["nodeagent-", "kubelet-"],
  ["orch-", "kubernetes-"],
] as const;

function originalOption(neutral: string): string | undefined {
  for (const [ours, theirs] of originalOptionPrefixes) {
    if (neutral.startsWith(ours)) return theirs + neutral.slice(ours.length);
  }
  return undefined;
}

/**
 * Groups (and stems of other qualified names) that end in the vendor's domain. A closed list, so that groups of third parties are
 * never renamed.
 */
const groupStems: ReadonlySet<string> = new Set([
  "admission",
  "admissionregistration",
  "apidiscovery",
  "apiextensions",
  "apiregistration",
  "apiserver.config",
  "audit",
  "authentication",
  "authorization",
  "certificates",
  "client.authentication",
  "coordination",
  "custom.metrics",
  "discovery",
  "events",
  "external.metrics",
  "flowcontrol.apiserver",
  "imagepolicy",
  "internal.apiserver",
  "meta",
  "metrics",
  "networking",
  "node",
  "rbac.authorization",
  "resource",
  "scheduling",
  "storage",
  "storagemigration",
]);

function fromVocabulary(words: Vocabulary): Naming {
  const { profile, domain, groupDomain, prefix } = words;
  return {
    profile,
    vendor: profile,
    vendorTitle: `${profile.charAt(0).toUpperCase()}${profile.slice(1)}`,
    domain,
    groupDomain,
    prefix,
    commandName: `${prefix}-apiserver`,
    systemNamespace: `${prefix}-system`,
    publicNamespace: `${prefix}-public`,
    nodeLeaseNamespace: `${prefix}-node-lease`,
    apiServiceName: profile,
    protobufMediaType: `application/vnd.${profile}.protobuf`,
    storeName: words.storeName,
    storeBackend: words.storeBackend,
    encryptedValuePrefix: words.encryptedValuePrefix,
    nodeAgentName: words.nodeAgentName,
    certDirectory: `/var/run/${profile}`,
    rootCaConfigMapName: `${prefix}-root-ca.crt`,
    serviceHostNames: [`${profile}.default.svc`, `${profile}.default`, profile],
    openApiPrefix: words.openApiPrefix,
    extensionPrefix: `x-${profile}-`,
    apiApprovalCondition: words.apiApprovalCondition,
    users: {
      controllerManager: `system:${prefix}-controller-manager`,
      scheduler: `system:${prefix}-scheduler`,
      proxy: `system:${prefix}-proxy`,
      dns: `system:${prefix}-dns`,
    },
    healthChecks: {
      store: words.storeName,
      admissionInitializer: `poststarthook/start-${prefix}-apiserver-admission-initializer`,
      aggregatorInformers: `poststarthook/start-${prefix}-aggregator-informers`,
      autoregistration: `poststarthook/${prefix}-apiserver-autoregistration`,
    },
    group: (stem) => (groupStems.has(stem) ? `${stem}.${groupDomain}` : stem),
    groupStem: (group) => {
      const stem = withoutSuffix(group, `.${groupDomain}`);
      return stem !== undefined && groupStems.has(stem) ? stem : group;
    },
    field: words.field,
    featureGate: words.featureGate,
    optionAlias: words.optionAlias,
    isProtectedGroup: (group) =>
      words.protectedGroupDomains.some((name) => group === name || group.endsWith(`.${name}`)),
  };
}

function withoutSuffix(text: string, suffix: string): string | undefined {
  return text.endsWith(suffix) ? text.slice(0, -suffix.length) : undefined;
}
