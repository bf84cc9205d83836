import type { Naming } from "../../naming/naming.js";
import type { ParseResult } from "./option.js";
import { parseBool, type ValueType } from "./value-types.js";

type Maturity = "alpha" | "beta";

interface FeatureGate {
  readonly maturity: Maturity;
  readonly default: boolean;
  /** Of nodes, controllers, schedulers and proxies: an API server takes it, and nothing follows from it. */
  readonly elsewhere?: true;
}

const betaOn = { maturity: "beta", default: true } as const;
const betaOff = { maturity: "beta", default: false } as const;
const alpha = { maturity: "alpha", default: false } as const;
const betaOnElsewhere = { ...betaOn, elsewhere: true } as const;
const betaOffElsewhere = { ...betaOff, elsewhere: true } as const;
const alphaElsewhere = { ...alpha, elsewhere: true } as const;

/** Kubernetes documentation, "Feature Gates", by neutral names; WatchList is of a later version. */
export const featureGates = {
  APIListChunking: betaOn,
  APIPriorityAndFairness: betaOn,
  APIResponseCompression: betaOn,
  APIServerIdentity: alpha,
  APIServerTracing: alpha,
  AnyVolumeDataSource: alpha,
  AppArmor: betaOn,
  CPUManager: betaOnElsewhere,
  CPUManagerPolicyAlphaOptions: alphaElsewhere,
  CPUManagerPolicyBetaOptions: betaOnElsewhere,
  CPUManagerPolicyOptions: betaOnElsewhere,
  CSIInlineVolume: betaOn,
  CSIMigration: betaOnElsewhere,
  CSIMigrationAWS: betaOffElsewhere,
  CSIMigrationAzureDisk: betaOnElsewhere,
  CSIMigrationAzureFile: betaOffElsewhere,
  CSIMigrationGCE: betaOnElsewhere,
  CSIMigrationOpenStack: betaOnElsewhere,
  CSIMigrationPortworx: alphaElsewhere,
  CSIMigrationvSphere: betaOffElsewhere,
  CSIStorageCapacity: betaOn,
  CSIVolumeHealth: alphaElsewhere,
  CSRDuration: betaOn,
  ControllerManagerLeaderMigration: betaOnElsewhere,
  CustomCPUCFSQuotaPeriod: alphaElsewhere,
  CustomResourceValidationExpressions: alpha,
  DaemonSetUpdateSurge: betaOn,
  DefaultPodTopologySpread: betaOnElsewhere,
  DelegateFSGroupToCSIDriver: betaOnElsewhere,
  DevicePlugins: betaOnElsewhere,
  DisableAcceleratorUsageMetrics: betaOnElsewhere,
  DisableCloudProviders: alphaElsewhere,
  DisableNodeAgentCloudCredentialProviders: alphaElsewhere,
  DownwardAPIHugePages: betaOn,
  EfficientWatchResumption: betaOn,
  EndpointSliceTerminatingCondition: betaOn,
  EphemeralContainers: betaOn,
  ExpandCSIVolumes: betaOn,
  ExpandInUsePersistentVolumes: betaOnElsewhere,
  ExpandPersistentVolumes: betaOn,
  ExpandedDNSConfig: alpha,
  ExperimentalHostUserNamespaceDefaulting: betaOffElsewhere,
  GRPCContainerProbe: alpha,
  GracefulNodeShutdown: betaOnElsewhere,
  GracefulNodeShutdownBasedOnPodPriority: alphaElsewhere,
  HPAContainerMetrics: alpha,
  HPAScaleToZero: alpha,
  HonorPVReclaimPolicy: alphaElsewhere,
  IdentifyPodOS: alpha,
  InTreePluginAWSUnregister: alphaElsewhere,
  InTreePluginAzureDiskUnregister: alphaElsewhere,
  InTreePluginAzureFileUnregister: alphaElsewhere,
  InTreePluginGCEUnregister: alphaElsewhere,
  InTreePluginOpenStackUnregister: alphaElsewhere,
  InTreePluginPortworxUnregister: alphaElsewhere,
  InTreePluginRBDUnregister: alphaElsewhere,
  InTreePluginvSphereUnregister: alphaElsewhere,
  IndexedJob: betaOn,
  JobMutableNodeSchedulingDirectives: betaOn,
  JobReadyPods: alphaElsewhere,
  JobTrackingWithFinalizers: betaOff,
  LocalStorageCapacityIsolation: betaOn,
  LocalStorageCapacityIsolationFSQuotaMonitoring: alphaElsewhere,
  LogarithmicScaleDown: betaOnElsewhere,
  MemoryManager: betaOnElsewhere,
  MemoryQoS: alphaElsewhere,
  MixedProtocolLBService: alpha,
  NetworkPolicyEndPort: betaOn,
  NodeAgentCredentialProviders: alphaElsewhere,
  NodeAgentInUserNamespace: alphaElsewhere,
  NodeAgentPodResources: betaOnElsewhere,
  NodeAgentPodResourcesGetAllocatable: betaOnElsewhere,
  NodeSwap: alphaElsewhere,
  NonPreemptingPriority: betaOn,
  OpenAPIEnums: alpha,
  OpenAPIV3: alpha,
  PodAffinityNamespaceSelector: betaOn,
  PodAndContainerStatsFromCRI: alphaElsewhere,
  PodDeletionCost: betaOn,
  PodOverhead: betaOn,
  PodSecurity: betaOn,
  PreferNominatedNode: betaOnElsewhere,
  ProbeTerminationGracePeriod: betaOff,
  ProcMountType: alpha,
  ProxyTerminatingEndpoints: alphaElsewhere,
  QOSReserved: alphaElsewhere,
  ReadWriteOncePod: alpha,
  RecoverVolumeExpansionFailure: alpha,
  RemainingItemCount: betaOn,
  RemoveSelfLink: betaOn,
  RotateNodeAgentServerCertificate: betaOnElsewhere,
  SeccompDefault: alphaElsewhere,
  ServerSideFieldValidation: alpha,
  ServiceInternalTrafficPolicy: betaOn,
  ServiceLBNodePortControl: betaOn,
  ServiceLoadBalancerClass: betaOn,
  SizeMemoryBackedVolumes: betaOnElsewhere,
  StatefulSetAutoDeletePVC: alpha,
  StatefulSetMinReadySeconds: betaOn,
  StorageVersionAPI: alpha,
  StorageVersionHash: betaOn,
  SuspendJob: betaOn,
  TopologyAwareHints: betaOff,
  TopologyManager: betaOnElsewhere,
  VolumeCapacityPriority: alphaElsewhere,
  WatchList: alpha,
  WinDSR: alphaElsewhere,
  WinOverlay: betaOnElsewhere,
  WindowsHostProcessContainers: betaOn,
  csiMigrationRBD: alphaElsewhere,
} as const satisfies { readonly [name: string]: FeatureGate };

export type FeatureGateName = keyof typeof featureGates;

export function isFeatureGateName(name: string): name is FeatureGateName {
  return Object.hasOwn(featureGates, name);
}

/** Switches every gate of its maturity that is not named on its own. */
const maturityOfSwitch = { AllAlpha: "alpha", AllBeta: "beta" } as const;
type MaturitySwitch = keyof typeof maturityOfSwitch;

/** The gates set by name. */
export type FeatureGateSettings = ReadonlyMap<FeatureGateName | MaturitySwitch, boolean>;

export function gatesOfOthers(): readonly FeatureGateName[] {
  return gateEntries()
    .filter(([, gate]) => gate.elsewhere === true)
    .map(([name]) => name);
}

/** Of the gates that were set, those of other programs. */
export function gatesWithoutEffect(settings: FeatureGateSettings): readonly FeatureGateName[] {
  return gatesOfOthers().filter((name) => settings.has(name));
}

/** The gates in force. */
export class FeatureGates {
  readonly #settings: FeatureGateSettings;

  constructor(settings: FeatureGateSettings = new Map()) {
    this.#settings = settings;
  }

  enabled(name: FeatureGateName): boolean {
    const gate: FeatureGate = featureGates[name];
    const ofMaturity = this.#settings.get(gate.maturity === "alpha" ? "AllAlpha" : "AllBeta");
    return this.#settings.get(name) ?? ofMaturity ?? gate.default;
  }

  /** Also answers for gates that kinds ask for and no option sets, which are on in this version. */
  allows(name: string): boolean {
    return !isFeatureGateName(name) || this.enabled(name);
  }

  /**
   * Whether the gate was set to false by name. Decides about features that newer clients rely on, and that are served even if their
   * default at the time was off.
   */
  switchedOff(name: FeatureGateName): boolean {
    return this.#settings.get(name) === false;
  }
}

/** `Name=true|false,...` in the profile's names or the neutral ones; a name on its own wins over AllAlpha and AllBeta. */
export const featureGateSettings: ValueType<FeatureGateSettings> = {
  typeName: "mapStringBool",
  parse: parseSettings,
  format: (settings, naming) =>
    [...settings].map(([name, value]) => `${naming.featureGate(name)}=${value}`).join(","),
};

/** `Name=true|false (ALPHA - default=false)`, sorted. */
export function describeFeatureGates(naming: Naming): readonly string[] {
  const switches = (["AllAlpha", "AllBeta"] as const).map(
    (name) => `${name}=true|false (${maturityOfSwitch[name].toUpperCase()} - default=false)`,
  );
  const gates = gateEntries().map(
    ([name, gate]) =>
      `${naming.featureGate(name)}=true|false (${gate.maturity.toUpperCase()} - default=${gate.default})`,
  );
  return [...switches, ...gates].sort();
}

function parseSettings(
  given: string,
  previous: FeatureGateSettings | undefined,
  naming: Naming,
): ParseResult<FeatureGateSettings> {
  const settings = new Map(previous);
  for (const item of given.split(",")) {
    if (item === "") continue;
    const equals = item.indexOf("=");
    const name = (equals < 0 ? item : item.slice(0, equals)).trim();
    if (equals < 0) return { problem: `missing bool value for ${name}` };
    const gate = findGate(name, naming);
    if (gate === undefined) return { problem: unrecognized(name, naming) };
    const value = parseBool(item.slice(equals + 1).trim());
    if ("problem" in value) return { problem: `${name}: ${value.problem}` };
    settings.set(gate, value.value);
  }
  return { value: settings };
}

function findGate(name: string, naming: Naming): FeatureGateName | MaturitySwitch | undefined {
  if (name === "AllAlpha" || name === "AllBeta") return name;
  return gateEntries().find(([gate]) => gate === name || naming.featureGate(gate) === name)?.[0];
}

function unrecognized(name: string, naming: Naming): string {
  const known = ["AllAlpha", "AllBeta", ...gateEntries().map(([gate]) => naming.featureGate(gate))].sort();
  return `unrecognized feature gate: ${name} (known: ${known.join(", ")})`;
}

function gateEntries(): readonly (readonly [FeatureGateName, FeatureGate])[] {
  // Object.keys gives string[]; the table is a const literal whose keys are exactly FeatureGateName.
  return (Object.keys(featureGates) as FeatureGateName[]).map((name) => [name, featureGates[name]]);
}
