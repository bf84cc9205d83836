import type { Node } from "../apis/gen/core-v1.js";
import { type Controller, serverWrite } from "../controllers/controller.js";
import { ProvidedKind } from "../controllers/custom-resources/provided-kind.js";
import { simulationGroup } from "../naming/naming.js";
import { AgentServer } from "./agent/agent-server.js";
import { NodeAgents } from "./agent/node-agents.js";
import { simulationDefinition } from "./behaviour/simulation-definition.js";
import { SimulationObjects } from "./behaviour/simulation-objects.js";
import type { SimulationContext } from "./machinery/simulation-context.js";
import { NodeLifecycle } from "./nodes/node-lifecycle.js";
import { NodeReports } from "./nodes/node-reports.js";
import { TaintEvictions } from "./nodes/taint-evictions.js";
import { Cluster, type SimulatedController } from "./pods/cluster.js";
import { Autoscalers } from "./policy/autoscalers.js";
import { CertificateSigning } from "./policy/certificate-signing.js";
import { DisruptionBudgets } from "./policy/disruption-budgets.js";
import { Scheduler } from "./scheduling/scheduler.js";
import { EndpointSlices } from "./services/endpoint-slices.js";
import { EndpointsController } from "./services/endpoints.js";
import { LoadBalancers } from "./services/load-balancers.js";
import { MirroredEndpoints } from "./services/mirrored-endpoints.js";
import { VolumeBinding } from "./volumes/volume-binding.js";
import { CronJobs } from "./workloads/cron-jobs.js";
import { DaemonSets } from "./workloads/daemon-sets.js";
import { Deployments } from "./workloads/deployments.js";
import { EndedJobs } from "./workloads/ended-jobs.js";
import { Jobs } from "./workloads/jobs.js";
import { ReplicaSets } from "./workloads/replica-sets.js";
import { StatefulSets } from "./workloads/stateful-sets.js";

const agentTimeoutMs = 5000;

/**
 * Turns an API server into a cluster, within its process: the controllers of workloads, a scheduler, and nodes whose agents run nothing but
 * report that they do.
 */
export class Simulation implements Controller {
  readonly #cluster: Cluster;
  readonly #objects: SimulationObjects;
  readonly #kind: ProvidedKind;
  readonly #agent: AgentServer;
  readonly #controllers: readonly SimulatedController[];

  constructor(context: SimulationContext) {
    this.#cluster = new Cluster(context);
    this.#objects = new SimulationObjects({
      rules: this.#cluster.rules,
      write: () => serverWrite(context, ""),
      onFailure: (error) => context.log.error("the status of a simulation was not written", error),
    });
    this.#kind = new ProvidedKind({
      context: context,
      group: simulationGroup,
      resource: "simulations",
      definition: simulationDefinition(context.naming),
      served: (registry) => this.#objects.start(registry),
    });
    this.#agent = new AgentServer(this.#cluster);
    this.#controllers = [
      new NodeReports(this.#cluster, () => this.#agent.port),
      new NodeLifecycle(this.#cluster),
      new TaintEvictions(this.#cluster),
      new NodeAgents(this.#cluster),
      new Scheduler(this.#cluster),
      new Deployments(this.#cluster),
      new ReplicaSets(this.#cluster, "replicasets.apps"),
      new ReplicaSets(this.#cluster, "replicationcontrollers"),
      new EndpointsController(this.#cluster),
      new EndpointSlices(this.#cluster),
      new MirroredEndpoints(this.#cluster),
      new LoadBalancers(this.#cluster),
      new StatefulSets(this.#cluster),
      new DaemonSets(this.#cluster),
      new Jobs(this.#cluster),
      new EndedJobs(this.#cluster),
      new CronJobs(this.#cluster),
      new VolumeBinding(this.#cluster),
      new DisruptionBudgets(this.#cluster),
      new Autoscalers(this.#cluster),
      new CertificateSigning(this.#cluster),
    ];
  }

  /** The address of a simulated node's agent; undefined for a node with an agent of its own. */
  agentOf(node: Node):
    | {
        readonly protocol: "http";
        readonly host: string;
        readonly port: number;
        readonly tls: { readonly verify: false };
        readonly connectTimeoutMs: number;
      }
    | undefined {
    const view = this.#cluster.nodes.get(node.metadata.name ?? "");
    if (view === undefined || view.state === "real") return undefined;
    return {
      protocol: "http",
      host: "127.0.0.1",
      port: this.#agent.port,
      tls: { verify: false },
      connectTimeoutMs: agentTimeoutMs,
    };
  }

  async start(): Promise<void> {
    await this.#cluster.start();
    await this.#kind.start();
    await this.#agent.start();
    for (const controller of this.#controllers) await controller.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#controllers.map((controller) => controller.stop()));
    await this.#agent.stop();
    await this.#kind.stop();
    await this.#objects.stop();
    await this.#cluster.stop();
  }
}
