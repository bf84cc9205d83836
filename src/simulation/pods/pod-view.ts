import { Quantity } from "../../apimachinery/values/quantity.js";
import { containersTotal } from "../../apis/core/pod-spec/pod-requests.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { StoredObject } from "../../storage/object-store.js";
import { type ObjectView, viewOf } from "../machinery/object-view.js";
import { timeMs } from "../machinery/times.js";
import { type HostPort, hostPortsOf } from "./host-ports.js";

/** What controllers, the scheduler and node agents know about every pod. */
export interface PodView extends ObjectView<Pod> {
  readonly nodeName: string;
  readonly phase: string;
  readonly isReady: boolean;
  /** When it became ready, in milliseconds since the epoch; undefined while it is not. */
  readonly readySince: number | undefined;
  readonly isScheduled: boolean;
  /** Whether the agent of its node has taken it on. */
  readonly hasStarted: boolean;
  readonly schedulerName: string;
  readonly priority: number;
  readonly ip: string;
  /** The number of restarts of its containers. */
  readonly restarts: number;
  readonly deletionTimestamp: string | undefined;
  /** By resource, in the smallest unit that counts: millicores, bytes, pieces. */
  readonly requests: ReadonlyMap<string, number>;
  readonly hostPorts: readonly HostPort[];
  readonly claims: readonly string[];
  /** Whether it asks to run near other pods, or away from them. */
  readonly hasPodAffinity: boolean;
}

const none: ReadonlyMap<string, number> = new Map();

export function podViewOf(stored: StoredObject<Pod>): PodView {
  const pod = stored.decode();
  const { spec, status, metadata } = pod;
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  const isReady = ready?.status === "True";
  const statuses = status.containerStatuses ?? [];
  return {
    ...viewOf(stored, pod),
    nodeName: spec.nodeName ?? "",
    phase: status.phase ?? "",
    isReady,
    readySince: isReady ? timeMs(ready.lastTransitionTime) : undefined,
    isScheduled: (spec.nodeName ?? "") !== "",
    hasStarted: status.startTime !== undefined,
    schedulerName: spec.schedulerName ?? "",
    priority: spec.priority ?? 0,
    ip: status.podIP ?? status.podIPs?.[0]?.ip ?? "",
    restarts: statuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    deletionTimestamp: metadata.deletionTimestamp,
    requests: requestsOf(pod),
    hostPorts: hostPortsOf(pod),
    claims: (spec.volumes ?? []).flatMap((volume) => {
      if (volume.persistentVolumeClaim !== undefined) return [volume.persistentVolumeClaim.claimName];
      return volume.ephemeral === undefined ? [] : [`${metadata.name}-${volume.name}`];
    }),
    hasPodAffinity: (spec.affinity?.podAffinity ?? spec.affinity?.podAntiAffinity) !== undefined,
  };
}

function requestsOf({ spec }: Pick<Pod, "spec">): ReadonlyMap<string, number> {
  const total = containersTotal(spec, "requests");
  if (total.size === 0 && spec.overhead === undefined) return none;
  const requests = new Map<string, number>();
  for (const [resource, amount] of total) requests.set(resource, amountOf(resource, amount));
  for (const [resource, text] of Object.entries(spec.overhead ?? {})) {
    requests.set(resource, (requests.get(resource) ?? 0) + amountOf(resource, Quantity.parse(text)));
  }
  return requests;
}

function amountOf(resource: string, quantity: Quantity): number {
  return Number(resource === "cpu" ? quantity.milliValue() : quantity.value());
}

export function amountsOf(list: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(list ?? {}).map(([resource, text]) => [
      resource,
      amountOf(resource, Quantity.parse(text)),
    ]),
  );
}

/** Whether it is neither finished nor being deleted. */
export function isActive({ phase, isTerminating }: PodView): boolean {
  return !isTerminating && !isFinished({ phase });
}

export function isFinished({ phase }: Pick<PodView, "phase">): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** Whether it has been ready for at least `minReadySeconds`. */
export function isAvailable(pod: PodView, minReadySeconds: number, now: number): boolean {
  if (!pod.isReady) return false;
  return minReadySeconds === 0 || (availableAt(pod, minReadySeconds) ?? Number.POSITIVE_INFINITY) <= now;
}

/** When a ready pod will have been ready for long enough. */
export function availableAt({ readySince }: PodView, minReadySeconds: number): number | undefined {
  return readySince === undefined ? undefined : readySince + minReadySeconds * 1000;
}
