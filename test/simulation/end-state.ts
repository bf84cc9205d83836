import type { ApiClient } from "../support/api-client.js";

const resources = [
  "apis/apps/v1/NS/deployments",
  "apis/apps/v1/NS/replicasets",
  "apis/apps/v1/NS/statefulsets",
  "apis/apps/v1/NS/daemonsets",
  "apis/batch/v1/NS/jobs",
  "apis/policy/v1/NS/poddisruptionbudgets",
  "api/v1/NS/persistentvolumeclaims",
  "api/v1/NS/pods",
  "api/v1/NS/replicationcontrollers",
  "api/v1/NS/endpoints",
  "apis/discovery.k8s.io/v1/NS/endpointslices",
];
/** Differ from run to run, or from cluster to cluster. */
const left = new Set([
  "podIP",
  "podIPs",
  "hostIP",
  "startTime",
  "completionTime",
  "containerStatuses",
  "qosClass",
  "uncountedTerminatedPods",
  "observedGeneration",
  "currentRevision",
  "updateRevision",
  "lastScheduleTime",
]);

/** Names end in what was made up: hashes, and the letters of generated names. */
function plainName(name: string): string {
  return name
    .replace(/-[a-z0-9]{8,10}-[a-z0-9]{5}$/, "-*")
    .replace(/-(?=[a-z0-9]*[a-z])[a-z0-9]{5,10}$/, "-*");
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

/** Lines about all objects in the namespace, sorted: what both clusters must agree on. */
export async function endState(api: ApiClient, namespace: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const resource of resources) {
    const kind = resource.split("/").at(-1) ?? "";
    const { body } = await api.get(`/${resource.replace("NS", `namespaces/${namespace}`)}`);
    for (const object of body.items ?? []) {
      if (object.metadata.name === "kube-root-ca.crt") continue;
      lines.push(`${kind} ${plainName(object.metadata.name)}: ${describe(kind, object)}`);
    }
  }
  return lines.sort();
}

// Objects of every kind.
// biome-ignore lint/suspicious/noExplicitAny: see above
function describe(kind: string, object: any): string {
  if (kind === "endpoints") {
    const subsets = object.subsets ?? [];
    return JSON.stringify(
      // biome-ignore lint/suspicious/noExplicitAny: see above
      subsets.map((subset: any) => [
        subset.addresses?.length ?? 0,
        subset.notReadyAddresses?.length ?? 0,
        subset.ports,
      ]),
    );
  }
  if (kind === "endpointslices") {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    return JSON.stringify([(object.endpoints ?? []).map((each: any) => each.conditions.ready), object.ports]);
  }
  const status = Object.entries(object.status ?? {})
    .filter(
      ([name, value]) => !left.has(name) && name !== "conditions" && value !== 0 && typeof value !== "object",
    )
    .map(([name, value]) => `${name}=${value}`)
    .sort();
  // kwok leaves the conditions of a pod that has ended as they were.
  const isEnded = kind === "pods" && object.status.phase === "Succeeded";
  // And it does not tell that a pod's sandbox is there, as nodes do from 1.29 on.
  const conditions = ((isEnded ? [] : (object.status?.conditions ?? [])) as Condition[])
    .filter(({ type }) => type !== "PodReadyToStartContainers")
    .map(({ type, status: is, reason = "" }) => `${type}=${is}${reason === "" ? "" : `(${reason})`}`)
    .sort();
  return [...status, ...conditions].join(" ");
}

/** The kinds of events that were told of the namespace's objects, without those of node agents. */
export async function eventKinds(api: ApiClient, namespace: string): Promise<readonly string[]> {
  const { body } = await api.get(`/api/v1/namespaces/${namespace}/events`);
  const kinds = new Set<string>();
  for (const { involvedObject, reason, type, source, reportingComponent, message } of body.items ?? []) {
    const component = source?.component || reportingComponent;
    // Whether a budget is seen before its pods is a matter of moments.
    if (component === "kubelet" || reason === "NoPods") continue;
    const text = reason === "FailedScheduling" ? `: ${message}` : "";
    kinds.add(`event ${involvedObject.kind} ${type} ${reason}${text}`);
  }
  return [...kinds].sort();
}
