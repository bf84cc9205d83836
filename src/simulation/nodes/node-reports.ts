import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import { formatMicroTime } from "../../apimachinery/values/time.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { hasSimulatedAgent, type NodeView } from "../pods/node-view.js";
import { makeNode, reportedStatus } from "./node-objects.js";

const renewMs = 10_000;
/** The most leases that all nodes together renew in a second: with many nodes, each renews its lease less often. */
const renewalsPerSecondMax = 5;
/** A lease is valid for this many periods. */
const leasePeriods = 4;
/** The first address of nodes, in 172.20.0.0/14. */
const firstNodeIp = 0xac140000;

/** Creates the nodes of the settings, and reports for every simulated node: its status, and its lease. */
export class NodeReports implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #loop: SyncLoop;
  readonly #agentPort: () => number;
  readonly #numbers = new Map<string, number>();
  #cancelRenewal: () => void = () => undefined;
  #stopped = false;

  constructor(cluster: Cluster, agentPort: () => number) {
    const { nodeAgentName } = cluster.context.naming;
    this.#cluster = cluster;
    this.#agentPort = agentPort;
    this.#writer = cluster.writer(`system:node:${nodeAgentName}`);
    this.#recorder = cluster.recorder(nodeAgentName);
    this.#loop = cluster.loop({ name: "node_reports", sync: (name) => this.#sync(name) });
  }

  async start(): Promise<void> {
    const { settings, naming } = this.#cluster.context;
    const writer = this.#writer;
    for (let number = 0; number < settings.nodes; number++) {
      const node = makeNode(settings, naming, number);
      if (this.#cluster.nodes.get(node.metadata.name ?? "") !== undefined) continue;
      await writer.create("nodes", "", node).catch((error: unknown) => {
        if (!isStatus(error, "AlreadyExists")) throw error;
      });
    }
    this.#loop.fedBy(
      this.#cluster.nodes.onChange(({ value, previous }) => {
        if (value === undefined) return;
        const hasNews = value.state !== previous?.state || value.ready !== "True";
        if (hasNews || !value.isAllocatableReported) this.#loop.add(value.name);
      }),
    );
    this.#renewLater();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRenewal();
    await this.#loop.close();
  }

  async #sync(name: string): Promise<void> {
    const node = this.#cluster.nodes.get(name);
    if (node === undefined || !hasSimulatedAgent(node)) return;
    const wasReady = node.ready === "True";
    const isReady = node.state === "ready";
    const stored = node.stored.decode();
    const { settings, naming, version, isEnabled } = this.#cluster.context;
    const reported = {
      settings,
      naming,
      version,
      isReady,
      now: this.#cluster.now(),
      agentPort: this.#agentPort(),
      ip: this.#addressOf(name),
      reportsProxy: !isEnabled("DisableNodeOrchProxyVersion"),
    };
    if (wasReady !== isReady || !isDeepEqual(reportedStatus(stored, reported), stored.status)) {
      await this.#writer.changePart("nodes", node, (object) => {
        object.status = reportedStatus(object, reported);
      });
      if (wasReady !== isReady) {
        const reason = isReady ? "NodeReady" : "NodeNotReady";
        const subject = { apiVersion: "v1", kind: "Node", namespace: "", name, uid: name };
        this.#recorder.record(subject, "Normal", reason, `Node ${name} status is now: ${reason}`, name);
      }
    }
    await this.#renew(node);
  }

  #addressOf(name: string): string {
    const number = this.#numbers.get(name) ?? this.#numbers.size + 1;
    this.#numbers.set(name, number);
    const address = firstNodeIp + number;
    return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
  }

  #renewLater(): void {
    if (this.#stopped) return;
    this.#cancelRenewal = this.#cluster.context.clock.schedule(this.#periodMs(), () => {
      const nodes = [...this.#cluster.nodes.values()].filter(hasSimulatedAgent);
      void this.#renewAll(nodes).finally(() => this.#renewLater());
    });
  }

  #periodMs(): number {
    return Math.max(renewMs, (this.#cluster.nodes.size / renewalsPerSecondMax) * 1000);
  }

  async #renewAll(nodes: readonly NodeView[]): Promise<void> {
    for (const node of nodes) {
      if (this.#stopped) return;
      await this.#renew(node).catch((error: unknown) =>
        this.#cluster.context.log.verbose(
          { level: 2, file: "simulation/nodes/node-reports" },
          "a node's lease will be renewed later",
          { node: node.name, reason: String(error) },
        ),
      );
    }
  }

  async #renew({ name, uid }: NodeView): Promise<void> {
    const namespace = this.#cluster.context.naming.nodeLeaseNamespace;
    const now = this.#cluster.now();
    const renewTime = formatMicroTime({ seconds: Math.floor(now / 1000), nanos: (now % 1000) * 1_000_000 });
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: Math.ceil((this.#periodMs() * leasePeriods) / 1000),
      renewTime,
    };
    const changed = await this.#writer.change("leases.coordination", { namespace, name }, (lease) => {
      lease.spec = { ...lease.spec, ...spec };
    });
    if (changed !== undefined) return;
    const ownerReferences = [{ apiVersion: "v1", kind: "Node", name, uid }];
    await this.#writer
      .create("leases.coordination", namespace, { metadata: { name, ownerReferences }, spec })
      .catch((error: unknown) => {
        if (!isStatus(error, "AlreadyExists")) throw error;
      });
  }
}
