import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import type {
  Container,
  EphemeralContainer,
  HTTPGetAction,
  PodSpec,
  PodTemplateSpec,
  Probe,
} from "../../gen/core-v1.js";
import { allContainers } from "./containers.js";
import { defaultPullPolicy } from "./image-name.js";
import { roundResourceList } from "./resource-list.js";
import { setVolumeDefaults } from "./volume-defaults.js";

/** Sets defaults of a workload's pod template, in place. */
export function setPodTemplateSpecDefaults(template: PodTemplateSpec, context: ApiContext): void {
  dropOldInitContainerAnnotations(template, context);
  setPodSpecDefaults(template.spec, context);
}

/**
 * Sets defaults shared by pods and templates, in place; pods have more (`pod/defaults.ts`). Also sets the deprecated alias
 * `serviceAccount` to `serviceAccountName`, which wins.
 */
export function setPodSpecDefaults(spec: PodSpec, context: ApiContext): void {
  mirrorServiceAccount(spec);
  spec.dnsPolicy ||= "ClusterFirst";
  spec.restartPolicy ||= "Always";
  if (spec.hostNetwork === true && hasTemplateHostPorts(context)) setHostPorts(spec);
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= "default-scheduler";
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume);
  for (const container of allContainers(spec)) {
    setContainerDefaults(container);
    roundResourceList(container.resources.limits);
    roundResourceList(container.resources.requests);
  }
  roundResourceList(spec.resources?.limits);
  roundResourceList(spec.resources?.requests);
  roundResourceList(spec.overhead);
}

export function mirrorServiceAccount(spec: PodSpec): void {
  spec.serviceAccountName ||= spec.serviceAccount;
  spec.serviceAccount = spec.serviceAccountName;
}

/** Init containers were annotations in early versions; these are ignored now and would mislead. */
export function dropOldInitContainerAnnotations(
  object: { metadata: { annotations?: { [key: string]: string } | undefined } },
  { naming }: ApiContext,
): void {
  const annotations = object.metadata.annotations;
  if (annotations === undefined) return;
  for (const stage of ["alpha", "beta"]) {
    delete annotations[`pod.${stage}.${naming.domain}/init-containers`];
    delete annotations[`pod.${stage}.${naming.domain}/init-container-statuses`];
  }
  if (Object.keys(annotations).length === 0) object.metadata.annotations = undefined;
}

/** Whether templates get host ports by default, as pods do; early levels set them. */
function hasTemplateHostPorts({ level, isEnabled }: ApiContext): boolean {
  if (!isAtLeast(level, "1.28")) return true;
  return !isAtLeast(level, "1.31") && isEnabled("DefaultHostNetworkHostPortsInPodTemplates");
}

/** A pod in the host network uses its container ports on the host. */
export function setHostPorts({ containers = [], initContainers = [] }: PodSpec): void {
  for (const container of [...containers, ...initContainers]) {
    for (const port of container.ports ?? []) port.hostPort ||= port.containerPort;
  }
}

function setContainerDefaults(container: Container | EphemeralContainer): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image ?? "");
  container.terminationMessagePath ||= "/dev/termination-log";
  container.terminationMessagePolicy ||= "File";
  for (const port of container.ports ?? []) port.protocol ||= "TCP";
  for (const variable of container.env ?? []) {
    const field = variable.valueFrom?.fieldRef;
    if (field !== undefined) field.apiVersion ||= "v1";
    const file = variable.valueFrom?.fileKeyRef;
    if (file !== undefined) file.optional ??= false;
  }
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) {
    if (probe !== undefined) setProbeDefaults(probe);
  }
  setHttpGetDefaults(container.lifecycle?.postStart?.httpGet);
  setHttpGetDefaults(container.lifecycle?.preStop?.httpGet);
}

function setProbeDefaults(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  setHttpGetDefaults(probe.httpGet);
  if (probe.grpc !== undefined) probe.grpc.service ??= "";
}

function setHttpGetDefaults(action: HTTPGetAction | undefined): void {
  if (action === undefined) return;
  action.path ||= "/";
  action.scheme ||= "HTTP";
}
