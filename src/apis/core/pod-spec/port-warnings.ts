import { append } from "../../../apimachinery/collections/append.js";
import type { FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { ContainerPort, PodSpec } from "../../gen/core-v1.js";
import { placedContainers } from "./containers.js";

interface PlacedPort {
  readonly path: FieldPath;
  readonly port: ContainerPort;
}

/** Limit of ports with one number, because each is compared with those before it. */
const comparedMax = 100;

/** Ports of a pod that are equal, or overlap. */
export function portWarnings(spec: PodSpec, path: FieldPath): string[] {
  const known = new Map<string, PlacedPort[]>();
  const warnings: string[] = [];
  for (const { container, path: at } of placedContainers(spec, path)) {
    for (const [index, port] of (container.ports ?? []).entries()) {
      const portPath = at.child("ports").index(index);
      const { hostIP = "", hostPort = 0 } = port;
      if (hostIP !== "" && hostPort === 0) {
        warnings.push(`${portPath}: hostIP set without hostPort: ${printPort(port)}`);
      }
      const key = `${port.containerPort}/${port.protocol ?? ""}`;
      const others = known.get(key) ?? [];
      const placed = { path: portPath, port };
      append(warnings, likenessWarnings(placed, others));
      if (others.length < comparedMax) others.push(placed);
      known.set(key, others);
    }
  }
  return warnings;
}

function likenessWarnings({ path, port }: PlacedPort, others: readonly PlacedPort[]): string[] {
  return others.flatMap((other) => {
    const problem = likeness(port, other.port);
    return problem === undefined ? [] : [`${path}: ${problem} port definition with ${other.path}`];
  });
}

/** Ports that cannot be chosen by name, because an earlier one has that name. */
export function portNameWarnings(spec: PodSpec, path: FieldPath): string[] {
  const first = new Map<string, FieldPath>();
  const warnings: string[] = [];
  for (const { container, path: at } of placedContainers(spec, path)) {
    for (const [index, { name = "" }] of (container.ports ?? []).entries()) {
      if (name === "") continue;
      const portPath = at.child("ports").index(index);
      const other = first.get(name);
      if (other === undefined) first.set(name, portPath);
      else {
        const effect = `services and probes that select ports by name will use ${other}`;
        warnings.push(`${portPath}: duplicate port name ${JSON.stringify(name)} with ${other}, ${effect}`);
      }
    }
  }
  return warnings;
}

function likeness(a: ContainerPort, b: ContainerPort): string | undefined {
  const [aPort, bPort] = [a.hostPort ?? 0, b.hostPort ?? 0];
  const [aIp, bIp] = [a.hostIP ?? "", b.hostIP ?? ""];
  if (aPort === bPort && aIp === bIp) return "duplicate";
  // If only one of them has a host port, it is clear which container gets it.
  if (aPort === 0 || bPort === 0) return "overlapping";
  return aPort === bPort && (aIp === "") !== (bIp === "") ? "dangerously ambiguous" : undefined;
}

/** In Go's notation. */
function printPort({
  name = "",
  hostPort = 0,
  containerPort,
  protocol = "",
  hostIP = "",
}: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}
