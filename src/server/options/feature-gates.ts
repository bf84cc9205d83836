import type { Naming } from "../../naming/naming.js";
import type { ParseResult } from "./option.js";
import { parseBool, type ValueType } from "./value-types.js";

type Maturity = "alpha" | "beta";

interface FeatureGate {
  readonly maturity: Maturity;
  readonly default: boolean;
  /**
   * The original's API server asks this gate and this one does not yet: switching it is refused. Gates without it
   * are either asked here, or only by other parts of a cluster (node agents, scheduler), which read them themselves.
   */
  readonly pending?: true;
}

const betaOn = { maturity: "beta", default: true } as const;
const betaOff = { maturity: "beta", default: false } as const;
const alpha = { maturity: "alpha", default: false } as const;
const pendingBetaOn = { ...betaOn, pending: true } as const;
const pendingBetaOff = { ...betaOff, pending: true } as const;
const pendingAlpha = { ...alpha, pending: true } as const;

/** Contract 2, §9, by neutral names; WatchList is of a later version. */
export const featureGates = {
  APIListChunking: pendingBetaOn,
  APIPriorityAndFairness: pendingBetaOn,
  APIResponseCompression: pendingBetaOn,
  APIServerIdentity: pendingAlpha,
  APIServerTracing: pendingAlpha,
  AnyVolumeDataSource: pendingAlpha,
  CPUManager: betaOn,
  CPUManagerPolicyAlphaOptions: alpha,
  CPUManagerPolicyBetaOptions: betaOn,
  CPUManagerPolicyOptions: betaOn,
  CSIInlineVolume: pendingBetaOn,
  CSIMigration: betaOn,
  CSIStorageCapacity: pendingBetaOn,
  CSIVolumeHealth: alpha,
  CSRDuration: pendingBetaOn,
  ControllerManagerLeaderMigration: betaOn,
  CustomCPUCFSQuotaPeriod: alpha,
  CustomResourceValidationExpressions: pendingAlpha,
  DaemonSetUpdateSurge: pendingBetaOn,
  DefaultPodTopologySpread: betaOn,
  DelegateFSGroupToCSIDriver: betaOn,
  DevicePlugins: betaOn,
  DisableAcceleratorUsageMetrics: betaOn,
  DisableCloudProviders: alpha,
  DisableNodeAgentCloudCredentialProviders: alpha,
  DownwardAPIHugePages: pendingBetaOn,
  EfficientWatchResumption: pendingBetaOn,
  EndpointSliceTerminatingCondition: pendingBetaOn,
  EphemeralContainers: pendingBetaOn,
  ExpandCSIVolumes: betaOn,
  ExpandInUsePersistentVolumes: betaOn,
  ExpandPersistentVolumes: pendingBetaOn,
  ExpandedDNSConfig: pendingAlpha,
  ExperimentalHostUserNamespaceDefaulting: betaOff,
  GRPCContainerProbe: pendingAlpha,
  GracefulNodeShutdown: betaOn,
  GracefulNodeShutdownBasedOnPodPriority: alpha,
  HPAContainerMetrics: pendingAlpha,
  HPAScaleToZero: pendingAlpha,
  HonorPVReclaimPolicy: alpha,
  IdentifyPodOS: pendingAlpha,
  IndexedJob: pendingBetaOn,
  JobMutableNodeSchedulingDirectives: pendingBetaOn,
  JobTrackingWithFinalizers: pendingBetaOn,
  LocalStorageCapacityIsolation: pendingBetaOn,
  LocalStorageCapacityIsolationFSQuotaMonitoring: alpha,
  LogarithmicScaleDown: betaOn,
  MemoryManager: betaOn,
  MemoryQoS: alpha,
  MixedProtocolLBService: pendingAlpha,
  NetworkPolicyEndPort: pendingBetaOn,
  NodeAgentCredentialProviders: alpha,
  NodeAgentInUserNamespace: alpha,
  NodeAgentPodResources: betaOn,
  NodeAgentPodResourcesGetAllocatable: betaOn,
  NodeSwap: alpha,
  NonPreemptingPriority: pendingBetaOn,
  OpenAPIEnums: pendingAlpha,
  OpenAPIV3: pendingAlpha,
  PodAffinityNamespaceSelector: pendingBetaOn,
  PodAndContainerStatsFromCRI: alpha,
  PodDeletionCost: pendingBetaOn,
  PodOverhead: pendingBetaOn,
  PodSecurity: pendingBetaOn,
  PreferNominatedNode: betaOn,
  ProbeTerminationGracePeriod: pendingBetaOff,
  ProcMountType: pendingAlpha,
  ProxyTerminatingEndpoints: alpha,
  QOSReserved: alpha,
  ReadWriteOncePod: pendingAlpha,
  RecoverVolumeExpansionFailure: pendingAlpha,
  RemainingItemCount: pendingBetaOn,
  RemoveSelfLink: pendingBetaOn,
  RotateNodeAgentServerCertificate: betaOn,
  SeccompDefault: alpha,
  ServerSideFieldValidation: pendingAlpha,
  ServiceInternalTrafficPolicy: pendingBetaOn,
  ServiceLBNodePortControl: pendingBetaOn,
  ServiceLoadBalancerClass: pendingBetaOn,
  SizeMemoryBackedVolumes: betaOn,
  StatefulSetAutoDeletePVC: pendingAlpha,
  StatefulSetMinReadySeconds: pendingBetaOn,
  StorageVersionAPI: pendingAlpha,
  StorageVersionHash: pendingBetaOn,
  SuspendJob: pendingBetaOn,
  TopologyAwareHints: pendingBetaOff,
  TopologyManager: betaOn,
  VolumeCapacityPriority: alpha,
  WatchList: pendingAlpha,
} as const satisfies { readonly [name: string]: FeatureGate };

export type FeatureGateName = keyof typeof featureGates;

/** Switches every gate of its maturity that is not named on its own. */
const maturityOfSwitch = { AllAlpha: "alpha", AllBeta: "beta" } as const;
type MaturitySwitch = keyof typeof maturityOfSwitch;

/** What was asked for by name. */
export type FeatureGateSettings = ReadonlyMap<FeatureGateName | MaturitySwitch, boolean>;

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
}

/** `Name=true|false,...` in the profile's names or the neutral ones; a name on its own wins over AllAlpha and AllBeta. */
export const featureGateSettings: ValueType<FeatureGateSettings> = {
  typeName: "mapStringBool",
  parse: parseSettings,
  format: (settings, naming) =>
    [...settings].map(([name, value]) => `${naming.featureGate(name)}=${value}`).join(","),
};

/** What switching on or off would not do yet: a message, or undefined when every setting can be honoured. */
export function pendingFeatureGate(settings: FeatureGateSettings, naming: Naming): string | undefined {
  const wanted = new FeatureGates(settings);
  const pending = gateEntries().find(([name, gate]) => gate.pending && wanted.enabled(name) !== gate.default);
  return pending && `not supported yet: ${naming.featureGate(pending[0])}=${!pending[1].default}`;
}

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
