import type { Container, Pod, Service, ServicePort } from "../../apis/gen/core-v1.js";
import type { PodView } from "../pods/pod-view.js";
import { isFinished } from "../pods/pod-view.js";

/** A pod behind a service. */
export interface Backend {
  readonly pod: PodView;
  readonly isReady: boolean;
  /** Set if the service determines the pod's name in DNS. */
  readonly hostname: string | undefined;
  readonly ports: readonly BackendPort[];
}

export interface BackendPort {
  readonly name: string | undefined;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol: string | undefined;
}

/** The pods that serve: those with an address that have not ended. */
export function backendsOf({ metadata, spec }: Service, pods: Iterable<PodView>): readonly Backend[] {
  const backends: Backend[] = [];
  for (const pod of pods) {
    if (pod.ip === "" || isFinished(pod)) continue;
    const object = pod.stored.decode();
    const { hostname = "", subdomain = "" } = object.spec;
    const isNamed = hostname !== "" && subdomain === metadata.name;
    backends.push({
      pod,
      isReady: pod.isReady,
      hostname: isNamed ? hostname : undefined,
      ports: (spec.ports ?? []).flatMap((port) => portOf(object, port)),
    });
  }
  return backends;
}

/** Undefined if the pod does not give the port a number. */
function portOf({ spec }: Pod, port: ServicePort): BackendPort[] {
  const { targetPort = port.port, protocol = "TCP", appProtocol } = port;
  const number =
    typeof targetPort === "number" ? targetPort : namedPort(spec.containers ?? [], targetPort, protocol);
  const name = port.name === "" ? undefined : port.name;
  return number === undefined || number === 0 ? [] : [{ name, port: number, protocol, appProtocol }];
}

function namedPort(containers: readonly Container[], name: string, protocol: string): number | undefined {
  for (const { ports = [] } of containers) {
    for (const port of ports) {
      if (port.name === name && (port.protocol ?? "TCP") === protocol) return port.containerPort;
    }
  }
  return undefined;
}

/** Equal for groups of pods that serve the same ports. */
export function portsKey(ports: readonly BackendPort[]): string {
  return JSON.stringify(ports);
}
