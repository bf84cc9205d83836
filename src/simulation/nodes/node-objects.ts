import type { Node, NodeStatus } from "../../apis/gen/core-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { SimulationSettings } from "../machinery/settings.js";
import { timeText } from "../machinery/times.js";
import { withCondition } from "../pods/conditions.js";
import { allocatableOf } from "../pods/node-resources.js";

/** A node as the settings describe it; `number` counts from 0. */
export function makeNode(
  settings: SimulationSettings,
  { domain }: Pick<Naming, "domain">,
  number: number,
): Node {
  const name = `node-${number}`;
  return {
    metadata: {
      name,
      labels: {
        [`${domain}/hostname`]: name,
        [`${domain}/os`]: "linux",
        [`${domain}/arch`]: "amd64",
        [`topology.${domain}/region`]: "simulated",
        [`topology.${domain}/zone`]: `zone-${number % settings.zones}`,
      },
    },
    spec: { podCIDR: podRange(number), podCIDRs: [podRange(number)] },
    status: { daemonEndpoints: {}, nodeInfo: emptyInfo },
  };
}

/** Divides 10.0.0.0/9 into ranges of 256 addresses. */
function podRange(number: number): string {
  return `10.${(number + 256) >> 8}.${(number + 256) & 255}.0/24`;
}

const emptyInfo = {
  machineID: "",
  systemUUID: "",
  bootID: "",
  kernelVersion: "",
  osImage: "",
  containerRuntimeVersion: "",
  operatingSystem: "",
  architecture: "",
};

export interface ReportedNode {
  readonly settings: SimulationSettings;
  readonly naming: Naming;
  readonly version: string;
  readonly isReady: boolean;
  readonly now: number;
  /** The port on which its agent answers; 0 if it does not. */
  readonly agentPort: number;
  readonly ip: string;
  readonly reportsProxy: boolean;
}

/** What the agent of a node reports; capacity and addresses that the node already has are kept. */
export function reportedStatus(node: Node, reported: ReportedNode): NodeStatus {
  const { settings, naming, version, agentPort, ip, reportsProxy } = reported;
  const { status } = node;
  const shape = {
    cpu: settings.cpu,
    memory: settings.memory,
    pods: String(settings.pods),
    "ephemeral-storage": "100Gi",
  };
  const capacity = status.capacity ?? status.allocatable ?? shape;
  return {
    ...status,
    capacity,
    allocatable: allocatableOf({ capacity, allocatable: status.allocatable }),
    conditions: reportedConditions(status.conditions, reported),
    addresses: status.addresses ?? [
      { type: "InternalIP", address: ip },
      { type: "Hostname", address: node.metadata.name ?? "" },
    ],
    daemonEndpoints:
      agentPort === 0
        ? status.daemonEndpoints
        : { ...status.daemonEndpoints, nodeagentEndpoint: { Port: agentPort } },
    nodeInfo: {
      ...status.nodeInfo,
      machineID: status.nodeInfo.machineID || "simulated",
      kernelVersion: status.nodeInfo.kernelVersion || "simulated",
      osImage: status.nodeInfo.osImage || "simulated",
      containerRuntimeVersion: status.nodeInfo.containerRuntimeVersion || "simulated://1",
      operatingSystem: status.nodeInfo.operatingSystem || "linux",
      architecture: status.nodeInfo.architecture || "amd64",
      [naming.field("nodeagentVersion")]: version,
      // Since 1.33, nodes no longer report the version of their proxy.
      [naming.field("orchProxyVersion")]: reportsProxy ? version : "",
    },
  };
}

/** No pressure of any kind, and whether the node is ready. */
function reportedConditions(
  before: NodeStatus["conditions"],
  { naming, isReady, now }: ReportedNode,
): NodeStatus["conditions"] {
  const agent = naming.nodeAgentName;
  const title = agent.charAt(0).toUpperCase() + agent.slice(1);
  const lastHeartbeatTime = timeText(now);
  let conditions = before;
  for (const [type, reasonEnd, what] of pressures) {
    const reason = `${title}${reasonEnd}`;
    const message = `${agent} has ${what}`;
    conditions = withCondition(
      conditions,
      { type, status: "False", reason, message, lastHeartbeatTime },
      now,
    );
  }
  const ready = isReady
    ? { status: "True", reason: `${title}Ready`, message: `${agent} is posting ready status` }
    : { status: "False", reason: `${title}NotReady`, message: "the node is simulated as not ready" };
  return withCondition(conditions, { type: "Ready", ...ready, lastHeartbeatTime }, now);
}

const pressures = [
  ["MemoryPressure", "HasSufficientMemory", "sufficient memory available"],
  ["DiskPressure", "HasNoDiskPressure", "no disk pressure"],
  ["PIDPressure", "HasSufficientPID", "sufficient PID available"],
] as const;
