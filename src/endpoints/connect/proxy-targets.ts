import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import { badRequest, isStatus, notFound, serviceUnavailable } from "../../apimachinery/errors/status.js";
import { canonicalIp, parseIp } from "../../apimachinery/validation/ip-addresses.js";
import type { BuiltinObjects, BuiltinResource } from "../../apis/builtin-objects.js";
import type { EndpointAddress, Endpoints } from "../../apis/gen/core-v1.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { ApiRequest } from "../../request/api-request.js";
import { admitConnect } from "./admit-connect.js";
import type { ConnectHandler } from "./connect-handler.js";
import type { ConnectTarget } from "./connect-result.js";
import { type NodeAgentSettings, nodeAgentTarget } from "./node-agent.js";
import { parseSchemeNamePort, type SchemeNamePort } from "./scheme-name-port.js";

export interface ProxyParts {
  readonly registry: BuiltinRegistries;
  readonly agents: NodeAgentSettings;
  readonly admission: AdmissionChain;
  /** All addresses of a host name. */
  readonly resolve: (hostName: string) => Promise<readonly string[]>;
  /** In [0, 1). */
  readonly random: () => number;
}

/** How long to wait for pods and services, as Kubernetes' transport does. */
const connectTimeoutMs = 30_000;

/** `proxy` of a pod: its own address. */
export function podProxy(parts: ProxyParts): ConnectHandler {
  return proxyOperation(parts, "PodProxyOptions", async (request) => {
    const wanted = wantedOf(request, "pod");
    const { namespace } = request.info;
    const pod = await read(parts, "pods", namespace, wanted.name);
    const ports = (pod.spec.containers ?? []).flatMap((container) => container.ports ?? []);
    const port = wanted.port === "" ? String(ports[0]?.containerPort ?? "") : wanted.port;
    const address = pod.status.podIPs?.[0]?.ip ?? pod.status.podIP ?? "";
    if (!isProxyable(address)) throw badRequest("address not allowed");
    return outside(wanted.scheme, address, port);
  });
}

/** `proxy` of a service: the address of one of its endpoints. */
export function serviceProxy(parts: ProxyParts): ConnectHandler {
  return proxyOperation(parts, "ServiceProxyOptions", async (request) => {
    const wanted = wantedOf(request, "service");
    const { namespace, name: id } = request.info;
    const portName = await servicePortName(parts, namespace, wanted);
    const { subsets = [] } = await readEndpoints(parts, namespace, wanted.name);
    if (subsets.length === 0) {
      throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(wanted.name)}`);
    }
    for (const { ports, addresses = [] } of fromRandom(subsets, parts.random)) {
      const port = ports?.find(({ name = "" }) => name === portName);
      if (port === undefined) continue;
      const ip = await anyPodAddress(parts, namespace, addresses);
      if (ip !== undefined) return outside(wanted.scheme, ip, String(port.port));
    }
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(id)}`);
  });
}

/** `proxy` of a node: its agent, or another port of it. */
export function nodeProxy(parts: ProxyParts): ConnectHandler {
  return proxyOperation(parts, "NodeProxyOptions", async (request) => {
    const { scheme, name, port } = wantedOf(request, "node");
    const agent = await nodeAgentTarget(parts.agents, name);
    if (port === "" || port === String(agent.port)) return agent;
    const addresses = parseIp(agent.host) === undefined ? await parts.resolve(agent.host) : [agent.host];
    const [address] = addresses;
    if (address === undefined || !addresses.every(isProxyable)) throw badRequest("address not allowed");
    // Dials the resolved address, because the name may resolve differently next time.
    return outside(scheme, address, port);
  });
}

function proxyOperation(
  parts: ProxyParts,
  optionsKind: string,
  locate: (request: ApiRequest) => Promise<ConnectTarget>,
): ConnectHandler {
  return async (request) => {
    const path = proxiedPath(request);
    await admitConnect(parts.admission, request, optionsKind, { path });
    return { kind: "connect", mode: "proxy", target: await locate(request), path };
  };
}

/** The path after `proxy` without `..` steps, which would leave the requested resource. */
function proxiedPath({ info }: ApiRequest): string {
  const asked = info.parts.slice(3).join("/");
  const rest = /(?:^|\/)\.\.?(?:\/|$)/.test(asked) ? withoutDots(asked) : asked;
  const path = rest === "" ? "" : `/${rest}`;
  return info.path.endsWith("/") ? `${path}/` : path;
}

function withoutDots(path: string): string {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== ".") steps.push(step);
  }
  return steps.join("/");
}

function wantedOf({ info }: ApiRequest, what: string): SchemeNamePort {
  const wanted = parseSchemeNamePort(info.name);
  if (wanted === undefined) throw badRequest(`invalid ${what} request ${JSON.stringify(info.name)}`);
  return wanted;
}

/** Endpoints use the service's port names, so a port number is mapped to its name. */
async function servicePortName(
  parts: ProxyParts,
  namespace: string,
  { name, port }: SchemeNamePort,
): Promise<string> {
  if (!/^[+-]?\d+$/.test(port)) return port;
  const number = Number(port);
  const { spec } = await read(parts, "services", namespace, name);
  const found = (spec.ports ?? []).find((each) => each.port === number);
  if (found === undefined) {
    throw serviceUnavailable(`no service port ${number} found for service ${JSON.stringify(name)}`);
  }
  return found.name ?? "";
}

/** Anyone may write Endpoints: connect only to addresses of the namespace's own pods. */
async function anyPodAddress(
  parts: ProxyParts,
  namespace: string,
  addresses: readonly EndpointAddress[],
): Promise<string | undefined> {
  for (const address of fromRandom(addresses, parts.random)) {
    if (await isPodAddress(parts, namespace, address)) return address.ip;
  }
  return undefined;
}

async function isPodAddress(
  parts: ProxyParts,
  namespace: string,
  { ip, targetRef }: EndpointAddress,
): Promise<boolean> {
  if (targetRef === undefined || targetRef.namespace !== namespace || !isProxyable(ip)) return false;
  try {
    const { status } = await read(parts, "pods", namespace, targetRef.name ?? "");
    return (status.podIPs ?? [{ ip: status.podIP }]).some((each) => each.ip === ip);
  } catch (error) {
    if (isStatus(error, "NotFound")) return false;
    throw error;
  }
}

/** This server cannot verify the certificates of pods and services. */
function outside(scheme: SchemeNamePort["scheme"], address: string, portText: string): ConnectTarget {
  const host = canonicalIp(address);
  if (host === undefined) throw badRequest("address not allowed");
  const protocol = scheme === "" ? "http" : scheme;
  const port = portText === "" ? (protocol === "https" ? 443 : 80) : Number(portText);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw badRequest(`invalid port ${JSON.stringify(portText)}`);
  }
  return { protocol, host, port, tls: { verify: false }, connectTimeoutMs };
}

/** As Go's `IsGlobalUnicast`: not loopback, link-local, multicast, broadcast or unspecified. */
export function isProxyable(address: string): boolean {
  const bytes = parseIp(address);
  if (bytes === undefined) return false;
  const v4 = bytes.length === 4 ? bytes : embeddedIpv4(bytes);
  if (v4 !== undefined) {
    const [first = 0, second = 0] = v4;
    const broadcast = v4.every((byte) => byte === 255);
    const unspecified = v4.every((byte) => byte === 0);
    return (
      !broadcast && !unspecified && first !== 127 && first >> 4 !== 14 && !(first === 169 && second === 254)
    );
  }
  const [first = 0, second = 0] = bytes;
  const unspecifiedOrLoopback = bytes.every((byte, index) => byte === 0 || (index === 15 && byte === 1));
  return !unspecifiedOrLoopback && first !== 0xff && !(first === 0xfe && (second & 0xc0) === 0x80);
}

function embeddedIpv4(bytes: Uint8Array): Uint8Array | undefined {
  const mapped = bytes.every((byte, index) => index >= 12 || byte === (index >= 10 ? 0xff : 0));
  return mapped ? bytes.subarray(12) : undefined;
}

function* fromRandom<T>(items: readonly T[], random: () => number): Generator<T> {
  const start = Math.floor(random() * items.length);
  for (let step = 0; step < items.length; step++) {
    const item = items[(start + step) % items.length];
    if (item !== undefined) yield item;
  }
}

/** The client asked for the service, so the error names the service. */
async function readEndpoints(parts: ProxyParts, namespace: string, name: string): Promise<Endpoints> {
  try {
    return await read(parts, "endpoints", namespace, name);
  } catch (error) {
    if (isStatus(error, "NotFound")) throw notFound({ group: "", resource: "services" }, name);
    throw error;
  }
}

async function read<R extends BuiltinResource>(
  parts: ProxyParts,
  resource: R,
  namespace: string,
  name: string,
): Promise<BuiltinObjects[R]> {
  const stored = await parts.registry(resource).get(namespace, name, { kind: "any" });
  return stored.decode();
}
