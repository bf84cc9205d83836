// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { Condition, LabelSelector, ListMeta, ObjectMeta, OwnerReference } from "./meta-v1.js";

export interface PodCondition {
  type: string;
  observedGeneration?: number | bigint | undefined;
  status: string;
  lastProbeTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface PodReadinessGate {
  conditionType: string;
}

export interface PodSpec {
  volumes?: Volume[] | undefined;
  initContainers?: Container[] | undefined;
  containers?: Container[] | undefined;
  ephemeralContainers?: EphemeralContainer[] | undefined;
  restartPolicy?: OpenEnum<"Always" | "OnFailure" | "Never"> | undefined;
  terminationGracePeriodSeconds?: number | bigint | undefined;
  activeDeadlineSeconds?: number | bigint | undefined;
  dnsPolicy?: OpenEnum<"ClusterFirstWithHostNet" | "ClusterFirst" | "Default" | "None"> | undefined;
  nodeSelector?: { [key: string]: string } | undefined;
  serviceAccountName?: string | undefined;
  serviceAccount?: string | undefined;
  automountServiceAccountToken?: boolean | undefined;
  nodeName?: string | undefined;
  hostNetwork?: boolean | undefined;
  hostPID?: boolean | undefined;
  hostIPC?: boolean | undefined;
  shareProcessNamespace?: boolean | undefined;
  securityContext?: PodSecurityContext | undefined;
  imagePullSecrets?: LocalObjectReference[] | undefined;
  hostname?: string | undefined;
  subdomain?: string | undefined;
  affinity?: Affinity | undefined;
  schedulerName?: string | undefined;
  tolerations?: Toleration[] | undefined;
  hostAliases?: HostAlias[] | undefined;
  priorityClassName?: string | undefined;
  priority?: number | undefined;
  dnsConfig?: PodDNSConfig | undefined;
  readinessGates?: PodReadinessGate[] | undefined;
  runtimeClassName?: string | undefined;
  enableServiceLinks?: boolean | undefined;
  preemptionPolicy?: OpenEnum<"PreemptLowerPriority" | "Never"> | undefined;
  overhead?: { [key: string]: string } | undefined;
  topologySpreadConstraints?: TopologySpreadConstraint[] | undefined;
  setHostnameAsFQDN?: boolean | undefined;
  os?: PodOS | undefined;
  hostUsers?: boolean | undefined;
  schedulingGates?: PodSchedulingGate[] | undefined;
  resourceClaims?: PodResourceClaim[] | undefined;
  resources?: ResourceRequirements | undefined;
  hostnameOverride?: string | undefined;
  schedulingGroup?: PodSchedulingGroup | undefined;
  workloadRef?: WorkloadReference | undefined;
}

export interface PodOS {
  name: string;
}

export interface HostAlias {
  ip: string;
  hostnames?: string[] | undefined;
}

export interface PodDNSConfig {
  nameservers?: string[] | undefined;
  searches?: string[] | undefined;
  options?: PodDNSConfigOption[] | undefined;
}

export interface PodDNSConfigOption {
  name?: string | undefined;
  value?: string | undefined;
}

export interface PodIP {
  ip: string;
}

export interface PodStatus {
  observedGeneration?: number | bigint | undefined;
  phase?: OpenEnum<"Pending" | "Running" | "Succeeded" | "Failed" | "Unknown"> | undefined;
  conditions?: PodCondition[] | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  nominatedNodeName?: string | undefined;
  hostIP?: string | undefined;
  hostIPs?: HostIP[] | undefined;
  podIP?: string | undefined;
  podIPs?: PodIP[] | undefined;
  startTime?: string | undefined;
  initContainerStatuses?: ContainerStatus[] | undefined;
  containerStatuses?: ContainerStatus[] | undefined;
  qosClass?: OpenEnum<"Guaranteed" | "Burstable" | "BestEffort"> | undefined;
  ephemeralContainerStatuses?: ContainerStatus[] | undefined;
  resize?: string | undefined;
  resourceClaimStatuses?: PodResourceClaimStatus[] | undefined;
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined;
  allocatedResources?: { [key: string]: string } | undefined;
  resources?: ResourceRequirements | undefined;
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[] | undefined;
}

export interface PodStatusResult {
  metadata: ObjectMeta;
  status: PodStatus;
}

export interface Pod {
  metadata: ObjectMeta;
  spec: PodSpec;
  status: PodStatus;
}

export interface PodList {
  metadata: ListMeta;
  items?: Pod[] | undefined;
}

export interface PodTemplateSpec {
  metadata: ObjectMeta;
  spec: PodSpec;
}

export interface PodTemplate {
  metadata: ObjectMeta;
  template: PodTemplateSpec;
}

export interface PodTemplateList {
  metadata: ListMeta;
  items?: PodTemplate[] | undefined;
}

export interface Binding {
  metadata: ObjectMeta;
  target: ObjectReference;
}

export interface Preconditions {
  uid?: string | undefined;
}

export interface ClaimSource {
  resourceClaimName?: string | undefined;
  resourceClaimTemplateName?: string | undefined;
}

export interface ContainerExtendedResourceRequest {
  containerName: string;
  resourceName: string;
  requestName: string;
}

export interface HostIP {
  ip: string;
}

export interface NodeAllocatableResourceClaimStatus {
  resourceClaimName: string;
  containers?: string[] | undefined;
  resources?: { [key: string]: string } | undefined;
}

export interface PodExtendedResourceClaimStatus {
  requestMappings?: ContainerExtendedResourceRequest[] | undefined;
  resourceClaimName: string;
}

export interface PodResourceClaim {
  name: string;
  resourceClaimName?: string | undefined;
  resourceClaimTemplateName?: string | undefined;
  source?: ClaimSource | undefined;
}

export interface PodResourceClaimStatus {
  name: string;
  resourceClaimName?: string | undefined;
}

export interface PodSchedulingGate {
  name: string;
}

export interface PodSchedulingGroup {
  podGroupName?: string | undefined;
}

export interface WorkloadReference {
  name: string;
  podGroup: string;
  podGroupReplicaKey?: string | undefined;
}

export interface NodeSelector {
  nodeSelectorTerms?: NodeSelectorTerm[] | undefined;
}

export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[] | undefined;
  matchFields?: NodeSelectorRequirement[] | undefined;
}

export interface NodeSelectorRequirement {
  key: string;
  operator: OpenEnum<"In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt">;
  values?: string[] | undefined;
}

export interface TopologySelectorTerm {
  matchLabelExpressions?: TopologySelectorLabelRequirement[] | undefined;
}

export interface TopologySelectorLabelRequirement {
  key: string;
  values?: string[] | undefined;
}

export interface Affinity {
  nodeAffinity?: NodeAffinity | undefined;
  podAffinity?: PodAffinity | undefined;
  podAntiAffinity?: PodAntiAffinity | undefined;
}

export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] | undefined;
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[] | undefined;
}

export interface PodAntiAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] | undefined;
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[] | undefined;
}

export interface WeightedPodAffinityTerm {
  weight: number;
  podAffinityTerm: PodAffinityTerm;
}

export interface PodAffinityTerm {
  labelSelector?: LabelSelector | undefined;
  namespaces?: string[] | undefined;
  topologyKey: string;
  namespaceSelector?: LabelSelector | undefined;
  matchLabelKeys?: string[] | undefined;
  mismatchLabelKeys?: string[] | undefined;
}

export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | undefined;
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[] | undefined;
}

export interface PreferredSchedulingTerm {
  weight: number;
  preference: NodeSelectorTerm;
}

export interface Taint {
  key: string;
  value?: string | undefined;
  effect: OpenEnum<"NoSchedule" | "PreferNoSchedule" | "NoExecute">;
  timeAdded?: string | undefined;
}

export interface Toleration {
  key?: string | undefined;
  operator?: OpenEnum<"Exists" | "Equal" | "Lt" | "Gt"> | undefined;
  value?: string | undefined;
  effect?: OpenEnum<"NoSchedule" | "PreferNoSchedule" | "NoExecute"> | undefined;
  tolerationSeconds?: number | bigint | undefined;
}

export interface TopologySpreadConstraint {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: OpenEnum<"DoNotSchedule" | "ScheduleAnyway">;
  labelSelector?: LabelSelector | undefined;
  minDomains?: number | undefined;
  nodeAffinityPolicy?: OpenEnum<"Ignore" | "Honor"> | undefined;
  nodeTaintsPolicy?: OpenEnum<"Ignore" | "Honor"> | undefined;
  matchLabelKeys?: string[] | undefined;
}

export interface ContainerPort {
  name?: string | undefined;
  hostPort?: number | undefined;
  containerPort: number;
  protocol?: OpenEnum<"TCP" | "UDP" | "SCTP"> | undefined;
  hostIP?: string | undefined;
}

export interface VolumeMount {
  name: string;
  readOnly?: boolean | undefined;
  recursiveReadOnly?: string | undefined;
  mountPath: string;
  subPath?: string | undefined;
  mountPropagation?: OpenEnum<"None" | "HostToContainer" | "Bidirectional"> | undefined;
  subPathExpr?: string | undefined;
}

export interface VolumeDevice {
  name: string;
  devicePath: string;
}

export interface EnvVar {
  name: string;
  value?: string | undefined;
  valueFrom?: EnvVarSource | undefined;
}

export interface EnvVarSource {
  fieldRef?: ObjectFieldSelector | undefined;
  resourceFieldRef?: ResourceFieldSelector | undefined;
  configMapKeyRef?: ConfigMapKeySelector | undefined;
  secretKeyRef?: SecretKeySelector | undefined;
  fileKeyRef?: FileKeySelector | undefined;
}

export interface ObjectFieldSelector {
  apiVersion?: string | undefined;
  fieldPath: string;
}

export interface ResourceFieldSelector {
  containerName?: string | undefined;
  resource: string;
  divisor: string;
}

export interface ConfigMapKeySelector {
  name?: string | undefined;
  key: string;
  optional?: boolean | undefined;
}

export interface SecretKeySelector {
  name?: string | undefined;
  key: string;
  optional?: boolean | undefined;
}

export interface EnvFromSource {
  prefix?: string | undefined;
  configMapRef?: ConfigMapEnvSource | undefined;
  secretRef?: SecretEnvSource | undefined;
}

export interface ConfigMapEnvSource {
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface SecretEnvSource {
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface ResourceRequirements {
  limits?: { [key: string]: string } | undefined;
  requests?: { [key: string]: string } | undefined;
  claims?: ResourceClaim[] | undefined;
}

export interface Container {
  name: string;
  image?: string | undefined;
  command?: string[] | undefined;
  args?: string[] | undefined;
  workingDir?: string | undefined;
  ports?: ContainerPort[] | undefined;
  envFrom?: EnvFromSource[] | undefined;
  env?: EnvVar[] | undefined;
  resources: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[] | undefined;
  restartPolicy?: string | undefined;
  restartPolicyRules?: ContainerRestartRule[] | undefined;
  volumeMounts?: VolumeMount[] | undefined;
  volumeDevices?: VolumeDevice[] | undefined;
  livenessProbe?: Probe | undefined;
  readinessProbe?: Probe | undefined;
  startupProbe?: Probe | undefined;
  lifecycle?: Lifecycle | undefined;
  terminationMessagePath?: string | undefined;
  terminationMessagePolicy?: OpenEnum<"File" | "FallbackToLogsOnError"> | undefined;
  imagePullPolicy?: OpenEnum<"Always" | "Never" | "IfNotPresent"> | undefined;
  securityContext?: SecurityContext | undefined;
  stdin?: boolean | undefined;
  stdinOnce?: boolean | undefined;
  tty?: boolean | undefined;
}

export interface ContainerStateWaiting {
  reason?: string | undefined;
  message?: string | undefined;
}

export interface ContainerStateRunning {
  startedAt?: string | undefined;
}

export interface ContainerStateTerminated {
  exitCode: number;
  signal?: number | undefined;
  reason?: string | undefined;
  message?: string | undefined;
  startedAt?: string | undefined;
  finishedAt?: string | undefined;
  containerID?: string | undefined;
}

export interface ContainerState {
  waiting?: ContainerStateWaiting | undefined;
  running?: ContainerStateRunning | undefined;
  terminated?: ContainerStateTerminated | undefined;
}

export interface ContainerStatus {
  name: string;
  state: ContainerState;
  lastState: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string | undefined;
  started?: boolean | undefined;
  allocatedResources?: { [key: string]: string } | undefined;
  resources?: ResourceRequirements | undefined;
  volumeMounts?: VolumeMountStatus[] | undefined;
  user?: ContainerUser | undefined;
  allocatedResourcesStatus?: ResourceStatus[] | undefined;
  stopSignal?: OpenEnum<"SIGABRT" | "SIGALRM" | "SIGBUS" | "SIGCHLD" | "SIGCLD" | "SIGCONT" | "SIGFPE" | "SIGHUP" | "SIGILL" | "SIGINT" | "SIGIO" | "SIGIOT" | "SIGKILL" | "SIGPIPE" | "SIGPOLL" | "SIGPROF" | "SIGPWR" | "SIGQUIT" | "SIGSEGV" | "SIGSTKFLT" | "SIGSTOP" | "SIGSYS" | "SIGTERM" | "SIGTRAP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGUSR1" | "SIGUSR2" | "SIGVTALRM" | "SIGWINCH" | "SIGXCPU" | "SIGXFSZ" | "SIGRTMIN" | "SIGRTMIN+1" | "SIGRTMIN+2" | "SIGRTMIN+3" | "SIGRTMIN+4" | "SIGRTMIN+5" | "SIGRTMIN+6" | "SIGRTMIN+7" | "SIGRTMIN+8" | "SIGRTMIN+9" | "SIGRTMIN+10" | "SIGRTMIN+11" | "SIGRTMIN+12" | "SIGRTMIN+13" | "SIGRTMIN+14" | "SIGRTMIN+15" | "SIGRTMAX-14" | "SIGRTMAX-13" | "SIGRTMAX-12" | "SIGRTMAX-11" | "SIGRTMAX-10" | "SIGRTMAX-9" | "SIGRTMAX-8" | "SIGRTMAX-7" | "SIGRTMAX-6" | "SIGRTMAX-5" | "SIGRTMAX-4" | "SIGRTMAX-3" | "SIGRTMAX-2" | "SIGRTMAX-1" | "SIGRTMAX"> | undefined;
}

export interface EphemeralContainerCommon {
  name: string;
  image?: string | undefined;
  command?: string[] | undefined;
  args?: string[] | undefined;
  workingDir?: string | undefined;
  ports?: ContainerPort[] | undefined;
  envFrom?: EnvFromSource[] | undefined;
  env?: EnvVar[] | undefined;
  resources: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[] | undefined;
  restartPolicy?: string | undefined;
  restartPolicyRules?: ContainerRestartRule[] | undefined;
  volumeMounts?: VolumeMount[] | undefined;
  volumeDevices?: VolumeDevice[] | undefined;
  livenessProbe?: Probe | undefined;
  readinessProbe?: Probe | undefined;
  startupProbe?: Probe | undefined;
  lifecycle?: Lifecycle | undefined;
  terminationMessagePath?: string | undefined;
  terminationMessagePolicy?: OpenEnum<"File" | "FallbackToLogsOnError"> | undefined;
  imagePullPolicy?: OpenEnum<"Always" | "Never" | "IfNotPresent"> | undefined;
  securityContext?: SecurityContext | undefined;
  stdin?: boolean | undefined;
  stdinOnce?: boolean | undefined;
  tty?: boolean | undefined;
}

export interface EphemeralContainer {
  name: string;
  image?: string | undefined;
  command?: string[] | undefined;
  args?: string[] | undefined;
  workingDir?: string | undefined;
  ports?: ContainerPort[] | undefined;
  envFrom?: EnvFromSource[] | undefined;
  env?: EnvVar[] | undefined;
  resources: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[] | undefined;
  restartPolicy?: string | undefined;
  restartPolicyRules?: ContainerRestartRule[] | undefined;
  volumeMounts?: VolumeMount[] | undefined;
  volumeDevices?: VolumeDevice[] | undefined;
  livenessProbe?: Probe | undefined;
  readinessProbe?: Probe | undefined;
  startupProbe?: Probe | undefined;
  lifecycle?: Lifecycle | undefined;
  terminationMessagePath?: string | undefined;
  terminationMessagePolicy?: OpenEnum<"File" | "FallbackToLogsOnError"> | undefined;
  imagePullPolicy?: OpenEnum<"Always" | "Never" | "IfNotPresent"> | undefined;
  securityContext?: SecurityContext | undefined;
  stdin?: boolean | undefined;
  stdinOnce?: boolean | undefined;
  tty?: boolean | undefined;
  targetContainerName?: string | undefined;
}

export interface ContainerResizePolicy {
  resourceName: string;
  restartPolicy: string;
}

export interface ContainerRestartRule {
  action?: string | undefined;
  exitCodes?: ContainerRestartRuleOnExitCodes | undefined;
}

export interface ContainerRestartRuleOnExitCodes {
  operator?: string | undefined;
  values?: number[] | undefined;
}

export interface ContainerUser {
  linux?: LinuxContainerUser | undefined;
}

export interface FileKeySelector {
  volumeName: string;
  path: string;
  key: string;
  optional?: boolean | undefined;
}

export interface LinuxContainerUser {
  uid: number | bigint;
  gid: number | bigint;
  supplementalGroups?: (number | bigint)[] | undefined;
}

export interface ResourceClaim {
  name: string;
  request?: string | undefined;
}

export interface ResourceHealth {
  resourceID: string;
  health?: string | undefined;
  message?: string | undefined;
}

export interface ResourceStatus {
  name: string;
  resources?: ResourceHealth[] | undefined;
}

export interface VolumeMountStatus {
  name: string;
  mountPath: string;
  readOnly?: boolean | undefined;
  recursiveReadOnly?: string | undefined;
  volumeStatus?: VolumeStatus | undefined;
}

export interface VolumeStatus {
  image?: ImageVolumeStatus | undefined;
}

export interface HTTPHeader {
  name: string;
  value: string;
}

export interface HTTPGetAction {
  path?: string | undefined;
  port: number | string;
  host?: string | undefined;
  scheme?: OpenEnum<"HTTP" | "HTTPS"> | undefined;
  httpHeaders?: HTTPHeader[] | undefined;
}

export interface TCPSocketAction {
  port: number | string;
  host?: string | undefined;
}

export interface GRPCAction {
  port: number;
  service?: string | undefined;
}

export interface ExecAction {
  command?: string[] | undefined;
}

export interface Probe {
  exec?: ExecAction | undefined;
  httpGet?: HTTPGetAction | undefined;
  tcpSocket?: TCPSocketAction | undefined;
  grpc?: GRPCAction | undefined;
  initialDelaySeconds?: number | undefined;
  timeoutSeconds?: number | undefined;
  periodSeconds?: number | undefined;
  successThreshold?: number | undefined;
  failureThreshold?: number | undefined;
  terminationGracePeriodSeconds?: number | bigint | undefined;
}

export interface ProbeHandler {
  exec?: ExecAction | undefined;
  httpGet?: HTTPGetAction | undefined;
  tcpSocket?: TCPSocketAction | undefined;
  grpc?: GRPCAction | undefined;
}

export interface LifecycleHandler {
  exec?: ExecAction | undefined;
  httpGet?: HTTPGetAction | undefined;
  tcpSocket?: TCPSocketAction | undefined;
  sleep?: SleepAction | undefined;
}

export interface Lifecycle {
  postStart?: LifecycleHandler | undefined;
  preStop?: LifecycleHandler | undefined;
  stopSignal?: OpenEnum<"SIGABRT" | "SIGALRM" | "SIGBUS" | "SIGCHLD" | "SIGCLD" | "SIGCONT" | "SIGFPE" | "SIGHUP" | "SIGILL" | "SIGINT" | "SIGIO" | "SIGIOT" | "SIGKILL" | "SIGPIPE" | "SIGPOLL" | "SIGPROF" | "SIGPWR" | "SIGQUIT" | "SIGSEGV" | "SIGSTKFLT" | "SIGSTOP" | "SIGSYS" | "SIGTERM" | "SIGTRAP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGUSR1" | "SIGUSR2" | "SIGVTALRM" | "SIGWINCH" | "SIGXCPU" | "SIGXFSZ" | "SIGRTMIN" | "SIGRTMIN+1" | "SIGRTMIN+2" | "SIGRTMIN+3" | "SIGRTMIN+4" | "SIGRTMIN+5" | "SIGRTMIN+6" | "SIGRTMIN+7" | "SIGRTMIN+8" | "SIGRTMIN+9" | "SIGRTMIN+10" | "SIGRTMIN+11" | "SIGRTMIN+12" | "SIGRTMIN+13" | "SIGRTMIN+14" | "SIGRTMIN+15" | "SIGRTMAX-14" | "SIGRTMAX-13" | "SIGRTMAX-12" | "SIGRTMAX-11" | "SIGRTMAX-10" | "SIGRTMAX-9" | "SIGRTMAX-8" | "SIGRTMAX-7" | "SIGRTMAX-6" | "SIGRTMAX-5" | "SIGRTMAX-4" | "SIGRTMAX-3" | "SIGRTMAX-2" | "SIGRTMAX-1" | "SIGRTMAX"> | undefined;
}

export interface SleepAction {
  seconds: number | bigint;
}

export interface PodSecurityContext {
  seLinuxOptions?: SELinuxOptions | undefined;
  windowsOptions?: WindowsSecurityContextOptions | undefined;
  runAsUser?: number | bigint | undefined;
  runAsGroup?: number | bigint | undefined;
  runAsNonRoot?: boolean | undefined;
  supplementalGroups?: (number | bigint)[] | undefined;
  supplementalGroupsPolicy?: OpenEnum<"Merge" | "Strict"> | undefined;
  fsGroup?: number | bigint | undefined;
  sysctls?: Sysctl[] | undefined;
  fsGroupChangePolicy?: OpenEnum<"OnRootMismatch" | "Always"> | undefined;
  seccompProfile?: SeccompProfile | undefined;
  appArmorProfile?: AppArmorProfile | undefined;
  seLinuxChangePolicy?: string | undefined;
}

export interface SeccompProfile {
  type: OpenEnum<"Unconfined" | "RuntimeDefault" | "Localhost">;
  localhostProfile?: string | undefined;
}

export interface Sysctl {
  name: string;
  value: string;
}

export interface Capabilities {
  add?: string[] | undefined;
  drop?: string[] | undefined;
}

export interface SecurityContext {
  capabilities?: Capabilities | undefined;
  privileged?: boolean | undefined;
  seLinuxOptions?: SELinuxOptions | undefined;
  windowsOptions?: WindowsSecurityContextOptions | undefined;
  runAsUser?: number | bigint | undefined;
  runAsGroup?: number | bigint | undefined;
  runAsNonRoot?: boolean | undefined;
  readOnlyRootFilesystem?: boolean | undefined;
  allowPrivilegeEscalation?: boolean | undefined;
  procMount?: OpenEnum<"Default" | "Unmasked"> | undefined;
  seccompProfile?: SeccompProfile | undefined;
  appArmorProfile?: AppArmorProfile | undefined;
}

export interface SELinuxOptions {
  user?: string | undefined;
  role?: string | undefined;
  type?: string | undefined;
  level?: string | undefined;
}

export interface WindowsSecurityContextOptions {
  gmsaCredentialSpecName?: string | undefined;
  gmsaCredentialSpec?: string | undefined;
  runAsUserName?: string | undefined;
  hostProcess?: boolean | undefined;
}

export interface AppArmorProfile {
  type: OpenEnum<"Unconfined" | "RuntimeDefault" | "Localhost">;
  localhostProfile?: string | undefined;
}

export interface PersistentVolumeClaimTemplate {
  metadata: ObjectMeta;
  spec: PersistentVolumeClaimSpec;
}

export interface Volume {
  name: string;
  hostPath?: HostPathVolumeSource | undefined;
  emptyDir?: EmptyDirVolumeSource | undefined;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  gitRepo?: GitRepoVolumeSource | undefined;
  secret?: SecretVolumeSource | undefined;
  nfs?: NFSVolumeSource | undefined;
  iscsi?: ISCSIVolumeSource | undefined;
  glusterfs?: GlusterfsVolumeSource | undefined;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource | undefined;
  rbd?: RBDVolumeSource | undefined;
  flexVolume?: FlexVolumeSource | undefined;
  cinder?: CinderVolumeSource | undefined;
  cephfs?: CephFSVolumeSource | undefined;
  flocker?: FlockerVolumeSource | undefined;
  downwardAPI?: DownwardAPIVolumeSource | undefined;
  fc?: FCVolumeSource | undefined;
  azureFile?: AzureFileVolumeSource | undefined;
  configMap?: ConfigMapVolumeSource | undefined;
  vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
  quobyte?: QuobyteVolumeSource | undefined;
  azureDisk?: AzureDiskVolumeSource | undefined;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  projected?: ProjectedVolumeSource | undefined;
  portworxVolume?: PortworxVolumeSource | undefined;
  scaleIO?: ScaleIOVolumeSource | undefined;
  storageos?: StorageOSVolumeSource | undefined;
  csi?: CSIVolumeSource | undefined;
  ephemeral?: EphemeralVolumeSource | undefined;
  image?: ImageVolumeSource | undefined;
}

export interface VolumeSource {
  hostPath?: HostPathVolumeSource | undefined;
  emptyDir?: EmptyDirVolumeSource | undefined;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  gitRepo?: GitRepoVolumeSource | undefined;
  secret?: SecretVolumeSource | undefined;
  nfs?: NFSVolumeSource | undefined;
  iscsi?: ISCSIVolumeSource | undefined;
  glusterfs?: GlusterfsVolumeSource | undefined;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource | undefined;
  rbd?: RBDVolumeSource | undefined;
  flexVolume?: FlexVolumeSource | undefined;
  cinder?: CinderVolumeSource | undefined;
  cephfs?: CephFSVolumeSource | undefined;
  flocker?: FlockerVolumeSource | undefined;
  downwardAPI?: DownwardAPIVolumeSource | undefined;
  fc?: FCVolumeSource | undefined;
  azureFile?: AzureFileVolumeSource | undefined;
  configMap?: ConfigMapVolumeSource | undefined;
  vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
  quobyte?: QuobyteVolumeSource | undefined;
  azureDisk?: AzureDiskVolumeSource | undefined;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  projected?: ProjectedVolumeSource | undefined;
  portworxVolume?: PortworxVolumeSource | undefined;
  scaleIO?: ScaleIOVolumeSource | undefined;
  storageos?: StorageOSVolumeSource | undefined;
  csi?: CSIVolumeSource | undefined;
  ephemeral?: EphemeralVolumeSource | undefined;
  image?: ImageVolumeSource | undefined;
}

export interface PersistentVolumeClaimVolumeSource {
  claimName: string;
  readOnly?: boolean | undefined;
}

export interface HostPathVolumeSource {
  path: string;
  type?: OpenEnum<"" | "DirectoryOrCreate" | "Directory" | "FileOrCreate" | "File" | "Socket" | "CharDevice" | "BlockDevice"> | undefined;
}

export interface EmptyDirVolumeSource {
  medium?: string | undefined;
  sizeLimit?: string | undefined;
}

export interface GitRepoVolumeSource {
  repository: string;
  revision?: string | undefined;
  directory?: string | undefined;
}

export interface SecretVolumeSource {
  secretName?: string | undefined;
  items?: KeyToPath[] | undefined;
  defaultMode?: number | undefined;
  optional?: boolean | undefined;
}

export interface SecretProjection {
  name?: string | undefined;
  items?: KeyToPath[] | undefined;
  optional?: boolean | undefined;
}

export interface ConfigMapVolumeSource {
  name?: string | undefined;
  items?: KeyToPath[] | undefined;
  defaultMode?: number | undefined;
  optional?: boolean | undefined;
}

export interface ConfigMapProjection {
  name?: string | undefined;
  items?: KeyToPath[] | undefined;
  optional?: boolean | undefined;
}

export interface ServiceAccountTokenProjection {
  audience?: string | undefined;
  expirationSeconds?: number | bigint | undefined;
  path: string;
}

export interface ProjectedVolumeSource {
  sources?: VolumeProjection[] | undefined;
  defaultMode?: number | undefined;
}

export interface VolumeProjection {
  secret?: SecretProjection | undefined;
  downwardAPI?: DownwardAPIProjection | undefined;
  configMap?: ConfigMapProjection | undefined;
  serviceAccountToken?: ServiceAccountTokenProjection | undefined;
  clusterTrustBundle?: ClusterTrustBundleProjection | undefined;
  podCertificate?: PodCertificateProjection | undefined;
}

export interface KeyToPath {
  key: string;
  path: string;
  mode?: number | undefined;
}

export interface CSIVolumeSource {
  driver: string;
  readOnly?: boolean | undefined;
  fsType?: string | undefined;
  volumeAttributes?: { [key: string]: string } | undefined;
  nodePublishSecretRef?: LocalObjectReference | undefined;
}

export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate | undefined;
}

export interface DownwardAPIVolumeSource {
  items?: DownwardAPIVolumeFile[] | undefined;
  defaultMode?: number | undefined;
}

export interface DownwardAPIVolumeFile {
  path: string;
  fieldRef?: ObjectFieldSelector | undefined;
  resourceFieldRef?: ResourceFieldSelector | undefined;
  mode?: number | undefined;
}

export interface DownwardAPIProjection {
  items?: DownwardAPIVolumeFile[] | undefined;
}

export interface ClusterTrustBundleProjection {
  name?: string | undefined;
  signerName?: string | undefined;
  labelSelector?: LabelSelector | undefined;
  optional?: boolean | undefined;
  path: string;
}

export interface ImageVolumeSource {
  reference?: string | undefined;
  pullPolicy?: OpenEnum<"Always" | "Never" | "IfNotPresent"> | undefined;
}

export interface ImageVolumeStatus {
  imageRef?: string | undefined;
}

export interface PodCertificateProjection {
  signerName?: string | undefined;
  keyType?: string | undefined;
  maxExpirationSeconds?: number | undefined;
  credentialBundlePath?: string | undefined;
  keyPath?: string | undefined;
  certificateChainPath?: string | undefined;
  userAnnotations?: { [key: string]: string } | undefined;
}

export interface GlusterfsPersistentVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean | undefined;
  endpointsNamespace?: string | undefined;
}

export interface RBDPersistentVolumeSource {
  monitors?: string[] | undefined;
  image: string;
  fsType?: string | undefined;
  pool?: string | undefined;
  user?: string | undefined;
  keyring?: string | undefined;
  secretRef?: SecretReference | undefined;
  readOnly?: boolean | undefined;
}

export interface CinderPersistentVolumeSource {
  volumeID: string;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: SecretReference | undefined;
}

export interface CephFSPersistentVolumeSource {
  monitors?: string[] | undefined;
  path?: string | undefined;
  user?: string | undefined;
  secretFile?: string | undefined;
  secretRef?: SecretReference | undefined;
  readOnly?: boolean | undefined;
}

export interface FlexPersistentVolumeSource {
  driver: string;
  fsType?: string | undefined;
  secretRef?: SecretReference | undefined;
  readOnly?: boolean | undefined;
  options?: { [key: string]: string } | undefined;
}

export interface ISCSIPersistentVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string | undefined;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  portals?: string[] | undefined;
  chapAuthDiscovery?: boolean | undefined;
  chapAuthSession?: boolean | undefined;
  secretRef?: SecretReference | undefined;
  initiatorName?: string | undefined;
}

export interface AzureFilePersistentVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean | undefined;
  secretNamespace?: string | undefined;
}

export interface ScaleIOPersistentVolumeSource {
  gateway: string;
  system: string;
  secretRef?: SecretReference | undefined;
  sslEnabled?: boolean | undefined;
  protectionDomain?: string | undefined;
  storagePool?: string | undefined;
  storageMode?: string | undefined;
  volumeName?: string | undefined;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
}

export interface StorageOSPersistentVolumeSource {
  volumeName?: string | undefined;
  volumeNamespace?: string | undefined;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: ObjectReference | undefined;
}

export interface LocalVolumeSource {
  path: string;
  fsType?: string | undefined;
}

export interface CSIPersistentVolumeSource {
  driver: string;
  volumeHandle: string;
  readOnly?: boolean | undefined;
  fsType?: string | undefined;
  volumeAttributes?: { [key: string]: string } | undefined;
  controllerPublishSecretRef?: SecretReference | undefined;
  nodeStageSecretRef?: SecretReference | undefined;
  nodePublishSecretRef?: SecretReference | undefined;
  controllerExpandSecretRef?: SecretReference | undefined;
  nodeExpandSecretRef?: SecretReference | undefined;
}

export interface GlusterfsVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean | undefined;
}

export interface RBDVolumeSource {
  monitors?: string[] | undefined;
  image: string;
  fsType?: string | undefined;
  pool?: string | undefined;
  user?: string | undefined;
  keyring?: string | undefined;
  secretRef?: LocalObjectReference | undefined;
  readOnly?: boolean | undefined;
}

export interface CinderVolumeSource {
  volumeID: string;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
}

export interface CephFSVolumeSource {
  monitors?: string[] | undefined;
  path?: string | undefined;
  user?: string | undefined;
  secretFile?: string | undefined;
  secretRef?: LocalObjectReference | undefined;
  readOnly?: boolean | undefined;
}

export interface FlockerVolumeSource {
  datasetName?: string | undefined;
  datasetUUID?: string | undefined;
}

export interface GCEPersistentDiskVolumeSource {
  pdName: string;
  fsType?: string | undefined;
  partition?: number | undefined;
  readOnly?: boolean | undefined;
}

export interface QuobyteVolumeSource {
  registry: string;
  volume: string;
  readOnly?: boolean | undefined;
  user?: string | undefined;
  group?: string | undefined;
  tenant?: string | undefined;
}

export interface FlexVolumeSource {
  driver: string;
  fsType?: string | undefined;
  secretRef?: LocalObjectReference | undefined;
  readOnly?: boolean | undefined;
  options?: { [key: string]: string } | undefined;
}

export interface AWSElasticBlockStoreVolumeSource {
  volumeID: string;
  fsType?: string | undefined;
  partition?: number | undefined;
  readOnly?: boolean | undefined;
}

export interface NFSVolumeSource {
  server: string;
  path: string;
  readOnly?: boolean | undefined;
}

export interface ISCSIVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string | undefined;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  portals?: string[] | undefined;
  chapAuthDiscovery?: boolean | undefined;
  chapAuthSession?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
  initiatorName?: string | undefined;
}

export interface FCVolumeSource {
  targetWWNs?: string[] | undefined;
  lun?: number | undefined;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  wwids?: string[] | undefined;
}

export interface AzureFileVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean | undefined;
}

export interface VsphereVirtualDiskVolumeSource {
  volumePath: string;
  fsType?: string | undefined;
  storagePolicyName?: string | undefined;
  storagePolicyID?: string | undefined;
}

export interface PhotonPersistentDiskVolumeSource {
  pdID: string;
  fsType?: string | undefined;
}

export interface AzureDiskVolumeSource {
  diskName: string;
  diskURI: string;
  cachingMode?: OpenEnum<"None" | "ReadOnly" | "ReadWrite"> | undefined;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  kind?: OpenEnum<"Shared" | "Dedicated" | "Managed"> | undefined;
}

export interface PortworxVolumeSource {
  volumeID: string;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
}

export interface ScaleIOVolumeSource {
  gateway: string;
  system: string;
  secretRef?: LocalObjectReference | undefined;
  sslEnabled?: boolean | undefined;
  protectionDomain?: string | undefined;
  storagePool?: string | undefined;
  storageMode?: string | undefined;
  volumeName?: string | undefined;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
}

export interface StorageOSVolumeSource {
  volumeName?: string | undefined;
  volumeNamespace?: string | undefined;
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
}

export interface PersistentVolumeSource {
  gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  hostPath?: HostPathVolumeSource | undefined;
  glusterfs?: GlusterfsPersistentVolumeSource | undefined;
  nfs?: NFSVolumeSource | undefined;
  rbd?: RBDPersistentVolumeSource | undefined;
  iscsi?: ISCSIPersistentVolumeSource | undefined;
  cinder?: CinderPersistentVolumeSource | undefined;
  cephfs?: CephFSPersistentVolumeSource | undefined;
  fc?: FCVolumeSource | undefined;
  flocker?: FlockerVolumeSource | undefined;
  flexVolume?: FlexPersistentVolumeSource | undefined;
  azureFile?: AzureFilePersistentVolumeSource | undefined;
  vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
  quobyte?: QuobyteVolumeSource | undefined;
  azureDisk?: AzureDiskVolumeSource | undefined;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  portworxVolume?: PortworxVolumeSource | undefined;
  scaleIO?: ScaleIOPersistentVolumeSource | undefined;
  local?: LocalVolumeSource | undefined;
  storageos?: StorageOSPersistentVolumeSource | undefined;
  csi?: CSIPersistentVolumeSource | undefined;
}

export interface PersistentVolume {
  metadata: ObjectMeta;
  spec: PersistentVolumeSpec;
  status: PersistentVolumeStatus;
}

export interface PersistentVolumeSpec {
  capacity?: { [key: string]: string } | undefined;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  hostPath?: HostPathVolumeSource | undefined;
  glusterfs?: GlusterfsPersistentVolumeSource | undefined;
  nfs?: NFSVolumeSource | undefined;
  rbd?: RBDPersistentVolumeSource | undefined;
  iscsi?: ISCSIPersistentVolumeSource | undefined;
  cinder?: CinderPersistentVolumeSource | undefined;
  cephfs?: CephFSPersistentVolumeSource | undefined;
  fc?: FCVolumeSource | undefined;
  flocker?: FlockerVolumeSource | undefined;
  flexVolume?: FlexPersistentVolumeSource | undefined;
  azureFile?: AzureFilePersistentVolumeSource | undefined;
  vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
  quobyte?: QuobyteVolumeSource | undefined;
  azureDisk?: AzureDiskVolumeSource | undefined;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  portworxVolume?: PortworxVolumeSource | undefined;
  scaleIO?: ScaleIOPersistentVolumeSource | undefined;
  local?: LocalVolumeSource | undefined;
  storageos?: StorageOSPersistentVolumeSource | undefined;
  csi?: CSIPersistentVolumeSource | undefined;
  accessModes?: OpenEnum<"ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod">[] | undefined;
  claimRef?: ObjectReference | undefined;
  persistentVolumeReclaimPolicy?: OpenEnum<"Recycle" | "Delete" | "Retain"> | undefined;
  storageClassName?: string | undefined;
  mountOptions?: string[] | undefined;
  volumeMode?: OpenEnum<"Block" | "Filesystem"> | undefined;
  nodeAffinity?: VolumeNodeAffinity | undefined;
  volumeAttributesClassName?: string | undefined;
}

export interface VolumeNodeAffinity {
  required?: NodeSelector | undefined;
}

export interface PersistentVolumeStatus {
  phase?: OpenEnum<"Pending" | "Available" | "Bound" | "Released" | "Failed"> | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  lastPhaseTransitionTime?: string | undefined;
}

export interface PersistentVolumeList {
  metadata: ListMeta;
  items?: PersistentVolume[] | undefined;
}

export interface PersistentVolumeClaim {
  metadata: ObjectMeta;
  spec: PersistentVolumeClaimSpec;
  status: PersistentVolumeClaimStatus;
}

export interface PersistentVolumeClaimList {
  metadata: ListMeta;
  items?: PersistentVolumeClaim[] | undefined;
}

export interface PersistentVolumeClaimSpec {
  accessModes?: OpenEnum<"ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod">[] | undefined;
  selector?: LabelSelector | undefined;
  resources: VolumeResourceRequirements;
  volumeName?: string | undefined;
  storageClassName?: string | undefined;
  volumeMode?: OpenEnum<"Block" | "Filesystem"> | undefined;
  dataSource?: TypedLocalObjectReference | undefined;
  dataSourceRef?: TypedObjectReference | undefined;
  volumeAttributesClassName?: string | undefined;
}

export interface PersistentVolumeClaimCondition {
  type: string;
  status: string;
  lastProbeTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface PersistentVolumeClaimStatus {
  phase?: OpenEnum<"Pending" | "Bound" | "Lost"> | undefined;
  accessModes?: OpenEnum<"ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod">[] | undefined;
  capacity?: { [key: string]: string } | undefined;
  conditions?: PersistentVolumeClaimCondition[] | undefined;
  allocatedResources?: { [key: string]: string } | undefined;
  allocatedResourceStatuses?: { [key: string]: OpenEnum<"ControllerResizeInProgress" | "ControllerResizeInfeasible" | "NodeResizePending" | "NodeResizeInProgress" | "NodeResizeInfeasible"> } | undefined;
  currentVolumeAttributesClassName?: string | undefined;
  modifyVolumeStatus?: ModifyVolumeStatus | undefined;
  resizeStatus?: OpenEnum<"" | "ControllerExpansionInProgress" | "ControllerExpansionFailed" | "NodeExpansionPending" | "NodeExpansionInProgress" | "NodeExpansionFailed"> | undefined;
}

export interface ModifyVolumeStatus {
  targetVolumeAttributesClassName?: string | undefined;
  status: OpenEnum<"Pending" | "InProgress" | "Infeasible">;
}

export interface VolumeResourceRequirements {
  limits?: { [key: string]: string } | undefined;
  requests?: { [key: string]: string } | undefined;
}

export interface ServiceAccount {
  metadata: ObjectMeta;
  secrets?: ObjectReference[] | undefined;
  imagePullSecrets?: LocalObjectReference[] | undefined;
  automountServiceAccountToken?: boolean | undefined;
}

export interface ServiceAccountList {
  metadata: ListMeta;
  items?: ServiceAccount[] | undefined;
}

export interface Secret {
  metadata: ObjectMeta;
  immutable?: boolean | undefined;
  data?: { [key: string]: string } | undefined;
  stringData?: { [key: string]: string } | undefined;
  type?: string | undefined;
}

export interface SecretList {
  metadata: ListMeta;
  items?: Secret[] | undefined;
}

export interface ConfigMap {
  metadata: ObjectMeta;
  immutable?: boolean | undefined;
  data?: { [key: string]: string } | undefined;
  binaryData?: { [key: string]: string } | undefined;
}

export interface ConfigMapList {
  metadata: ListMeta;
  items?: ConfigMap[] | undefined;
}

export interface ReplicationControllerSpec {
  replicas?: number | undefined;
  minReadySeconds?: number | undefined;
  selector?: { [key: string]: string } | undefined;
  template?: PodTemplateSpec | undefined;
}

export interface ReplicationControllerStatus {
  replicas: number;
  fullyLabeledReplicas?: number | undefined;
  readyReplicas?: number | undefined;
  availableReplicas?: number | undefined;
  observedGeneration?: number | bigint | undefined;
  conditions?: ReplicationControllerCondition[] | undefined;
}

export interface ReplicationControllerCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface ReplicationController {
  metadata: ObjectMeta;
  spec: ReplicationControllerSpec;
  status: ReplicationControllerStatus;
}

export interface ReplicationControllerList {
  metadata: ListMeta;
  items?: ReplicationController[] | undefined;
}

export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig | undefined;
}

export interface ClientIPConfig {
  timeoutSeconds?: number | undefined;
}

export interface ServiceStatus {
  loadBalancer: LoadBalancerStatus;
  conditions?: Condition[] | undefined;
}

export interface LoadBalancerStatus {
  ingress?: LoadBalancerIngress[] | undefined;
}

export interface LoadBalancerIngress {
  ip?: string | undefined;
  hostname?: string | undefined;
  ipMode?: string | undefined;
  ports?: PortStatus[] | undefined;
}

export interface ServiceSpec {
  ports?: ServicePort[] | undefined;
  selector?: { [key: string]: string } | undefined;
  clusterIP?: string | undefined;
  clusterIPs?: string[] | undefined;
  type?: OpenEnum<"ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName"> | undefined;
  externalIPs?: string[] | undefined;
  sessionAffinity?: OpenEnum<"ClientIP" | "None"> | undefined;
  loadBalancerIP?: string | undefined;
  loadBalancerSourceRanges?: string[] | undefined;
  externalName?: string | undefined;
  externalTrafficPolicy?: OpenEnum<"Cluster" | "Local"> | undefined;
  healthCheckNodePort?: number | undefined;
  publishNotReadyAddresses?: boolean | undefined;
  sessionAffinityConfig?: SessionAffinityConfig | undefined;
  ipFamilies?: OpenEnum<"IPv4" | "IPv6" | "">[] | undefined;
  ipFamilyPolicy?: OpenEnum<"SingleStack" | "PreferDualStack" | "RequireDualStack"> | undefined;
  allocateLoadBalancerNodePorts?: boolean | undefined;
  loadBalancerClass?: string | undefined;
  internalTrafficPolicy?: OpenEnum<"Cluster" | "Local"> | undefined;
  trafficDistribution?: string | undefined;
}

export interface ServicePort {
  name?: string | undefined;
  protocol?: OpenEnum<"TCP" | "UDP" | "SCTP"> | undefined;
  appProtocol?: string | undefined;
  port: number;
  targetPort: number | string;
  nodePort?: number | undefined;
}

export interface Service {
  metadata: ObjectMeta;
  spec: ServiceSpec;
  status: ServiceStatus;
}

export interface ServiceList {
  metadata: ListMeta;
  items?: Service[] | undefined;
}

export interface Endpoints {
  metadata: ObjectMeta;
  subsets?: EndpointSubset[] | undefined;
}

export interface EndpointSubset {
  addresses?: EndpointAddress[] | undefined;
  notReadyAddresses?: EndpointAddress[] | undefined;
  ports?: EndpointPort[] | undefined;
}

export interface EndpointAddress {
  ip: string;
  hostname?: string | undefined;
  nodeName?: string | undefined;
  targetRef?: ObjectReference | undefined;
}

export interface EndpointPort {
  name?: string | undefined;
  port: number;
  protocol?: OpenEnum<"TCP" | "UDP" | "SCTP"> | undefined;
  appProtocol?: string | undefined;
}

export interface EndpointsList {
  metadata: ListMeta;
  items?: Endpoints[] | undefined;
}

export interface PortStatus {
  port: number;
  protocol: OpenEnum<"TCP" | "UDP" | "SCTP">;
  error?: string | undefined;
}

export interface RangeAllocation {
  metadata: ObjectMeta;
  range: string;
  data?: string | undefined;
}

export interface NodeSpec {
  podCIDR?: string | undefined;
  podCIDRs?: string[] | undefined;
  providerID?: string | undefined;
  unschedulable?: boolean | undefined;
  taints?: Taint[] | undefined;
  configSource?: NodeConfigSource | undefined;
  externalID?: string | undefined;
}

export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource | undefined;
}

export interface ConfigMapNodeConfigSource {
  namespace: string;
  name: string;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  /** Named by the profile: nodeagentConfigKey (see `Naming.field`). */
  [name: string]: string | undefined;
}

export interface DaemonEndpoint {
  Port: number;
}

export interface NodeDaemonEndpoints {
  /** Named by the profile: nodeagentEndpoint (see `Naming.field`). */
  [name: string]: DaemonEndpoint | undefined;
}

export interface NodeSystemInfo {
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  operatingSystem: string;
  architecture: string;
  swap?: NodeSwapStatus | undefined;
  /** Named by the profile: nodeagentVersion, orchProxyVersion (see `Naming.field`). */
  [name: string]: string | NodeSwapStatus | undefined;
}

export interface NodeConfigStatus {
  assigned?: NodeConfigSource | undefined;
  active?: NodeConfigSource | undefined;
  lastKnownGood?: NodeConfigSource | undefined;
  error?: string | undefined;
}

export interface NodeStatus {
  capacity?: { [key: string]: string } | undefined;
  allocatable?: { [key: string]: string } | undefined;
  phase?: OpenEnum<"Pending" | "Running" | "Terminated"> | undefined;
  conditions?: NodeCondition[] | undefined;
  addresses?: NodeAddress[] | undefined;
  daemonEndpoints: NodeDaemonEndpoints;
  nodeInfo: NodeSystemInfo;
  images?: ContainerImage[] | undefined;
  volumesInUse?: string[] | undefined;
  volumesAttached?: AttachedVolume[] | undefined;
  config?: NodeConfigStatus | undefined;
  runtimeHandlers?: NodeRuntimeHandler[] | undefined;
  features?: NodeFeatures | undefined;
  declaredFeatures?: string[] | undefined;
}

export interface AttachedVolume {
  name: string;
  devicePath: string;
}

export interface AvoidPods {
  preferAvoidPods?: PreferAvoidPodsEntry[] | undefined;
}

export interface PreferAvoidPodsEntry {
  podSignature: PodSignature;
  evictionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface PodSignature {
  podController?: OwnerReference | undefined;
}

export interface ContainerImage {
  names?: string[] | undefined;
  sizeBytes?: number | bigint | undefined;
}

export interface NodeCondition {
  type: string;
  status: string;
  lastHeartbeatTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface NodeAddress {
  type: string;
  address: string;
}

export interface Node {
  metadata: ObjectMeta;
  spec: NodeSpec;
  status: NodeStatus;
}

export interface NodeList {
  metadata: ListMeta;
  items?: Node[] | undefined;
}

export interface NodeResources {
  Capacity?: { [key: string]: string } | undefined;
}

export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean | undefined;
}

export interface NodeRuntimeHandler {
  name: string;
  features?: NodeRuntimeHandlerFeatures | undefined;
}

export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean | undefined;
  userNamespaces?: boolean | undefined;
}

export interface NodeSwapStatus {
  capacity?: number | bigint | undefined;
}

export interface LimitRangeItem {
  type: string;
  max?: { [key: string]: string } | undefined;
  min?: { [key: string]: string } | undefined;
  default?: { [key: string]: string } | undefined;
  defaultRequest?: { [key: string]: string } | undefined;
  maxLimitRequestRatio?: { [key: string]: string } | undefined;
}

export interface LimitRangeSpec {
  limits?: LimitRangeItem[] | undefined;
}

export interface LimitRange {
  metadata: ObjectMeta;
  spec: LimitRangeSpec;
}

export interface LimitRangeList {
  metadata: ListMeta;
  items?: LimitRange[] | undefined;
}

export interface ResourceQuotaSpec {
  hard?: { [key: string]: string } | undefined;
  scopes?: OpenEnum<"Terminating" | "NotTerminating" | "BestEffort" | "NotBestEffort" | "PriorityClass" | "CrossNamespacePodAffinity" | "VolumeAttributesClass">[] | undefined;
  scopeSelector?: ScopeSelector | undefined;
}

export interface ScopeSelector {
  matchExpressions?: ScopedResourceSelectorRequirement[] | undefined;
}

export interface ScopedResourceSelectorRequirement {
  scopeName: OpenEnum<"Terminating" | "NotTerminating" | "BestEffort" | "NotBestEffort" | "PriorityClass" | "CrossNamespacePodAffinity" | "VolumeAttributesClass">;
  operator: OpenEnum<"In" | "NotIn" | "Exists" | "DoesNotExist">;
  values?: string[] | undefined;
}

export interface ResourceQuotaStatus {
  hard?: { [key: string]: string } | undefined;
  used?: { [key: string]: string } | undefined;
}

export interface ResourceQuota {
  metadata: ObjectMeta;
  spec: ResourceQuotaSpec;
  status: ResourceQuotaStatus;
}

export interface ResourceQuotaList {
  metadata: ListMeta;
  items?: ResourceQuota[] | undefined;
}

export interface NamespaceSpec {
  finalizers?: string[] | undefined;
}

export interface NamespaceStatus {
  phase?: OpenEnum<"Active" | "Terminating"> | undefined;
  conditions?: NamespaceCondition[] | undefined;
}

export interface NamespaceCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface Namespace {
  metadata: ObjectMeta;
  spec: NamespaceSpec;
  status: NamespaceStatus;
}

export interface NamespaceList {
  metadata: ListMeta;
  items?: Namespace[] | undefined;
}

export interface EventSource {
  component?: string | undefined;
  host?: string | undefined;
}

export interface Event {
  metadata: ObjectMeta;
  involvedObject: ObjectReference;
  reason?: string | undefined;
  message?: string | undefined;
  source: EventSource;
  firstTimestamp?: string | undefined;
  lastTimestamp?: string | undefined;
  count?: number | undefined;
  type?: string | undefined;
  eventTime?: string | undefined;
  series?: EventSeries | undefined;
  action?: string | undefined;
  related?: ObjectReference | undefined;
  reportingComponent: string;
  reportingInstance: string;
}

export interface EventSeries {
  count?: number | undefined;
  lastObservedTime?: string | undefined;
}

export interface EventList {
  metadata: ListMeta;
  items?: Event[] | undefined;
}

export interface ComponentCondition {
  type: string;
  status: string;
  message?: string | undefined;
  error?: string | undefined;
}

export interface ComponentStatus {
  metadata: ObjectMeta;
  conditions?: ComponentCondition[] | undefined;
}

export interface ComponentStatusList {
  metadata: ListMeta;
  items?: ComponentStatus[] | undefined;
}

export interface SecretReference {
  name?: string | undefined;
  namespace?: string | undefined;
}

export interface ObjectReference {
  kind?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
  uid?: string | undefined;
  apiVersion?: string | undefined;
  resourceVersion?: string | undefined;
  fieldPath?: string | undefined;
}

export interface LocalObjectReference {
  name?: string | undefined;
}

export interface TypedLocalObjectReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
}

export interface SerializedReference {
  reference: ObjectReference;
}

export interface List {
  metadata: ListMeta;
  items?: JsonValue[] | undefined;
}

export interface TypedObjectReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
  namespace?: string | undefined;
}

export interface PodLogOptions {
  container?: string | undefined;
  follow?: boolean | undefined;
  previous?: boolean | undefined;
  sinceSeconds?: number | bigint | undefined;
  sinceTime?: string | undefined;
  timestamps?: boolean | undefined;
  tailLines?: number | bigint | undefined;
  limitBytes?: number | bigint | undefined;
  insecureSkipTLSVerifyBackend?: boolean | undefined;
  stream?: string | undefined;
}

export interface PodAttachOptions {
  stdin?: boolean | undefined;
  stdout?: boolean | undefined;
  stderr?: boolean | undefined;
  tty?: boolean | undefined;
  container?: string | undefined;
}

export interface PodExecOptions {
  stdin?: boolean | undefined;
  stdout?: boolean | undefined;
  stderr?: boolean | undefined;
  tty?: boolean | undefined;
  container?: string | undefined;
  command?: string[] | undefined;
}

export interface PodPortForwardOptions {
  ports?: number[] | undefined;
}

export interface PodProxyOptions {
  path?: string | undefined;
}

export interface NodeProxyOptions {
  path?: string | undefined;
}

export interface ServiceProxyOptions {
  path?: string | undefined;
}
