import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { BuiltinObjects, BuiltinResource } from "../../apis/builtin-objects.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { TestRegistries } from "../../controllers/testing/registries.js";
import { ManualClock } from "../../time/manual-clock.js";
import { defaultSettings } from "../machinery/settings.js";
import { Cluster, type SimulatedController } from "../pods/cluster.js";

const resources = [
  "certificatesigningrequests",
  "controllerrevisions",
  "cronjobs",
  "daemonsets",
  "deployments",
  "endpoints",
  "endpointslices",
  "events",
  "horizontalpodautoscalers",
  "jobs",
  "namespaces",
  "nodes",
  "persistentvolumeclaims",
  "persistentvolumes",
  "poddisruptionbudgets",
  "pods",
  "replicasets",
  "replicationcontrollers",
  "services",
  "statefulsets",
  "storageclasses",
];

/** A cluster in memory with some of the simulated controllers. The test plays the others. */
export class TestCluster {
  readonly clock = new ManualClock();
  readonly registries: TestRegistries;
  readonly cluster: Cluster;
  readonly #controllers: SimulatedController[] = [];

  constructor(level: ApiLevel = "1.23") {
    const api = testApiContext({ level });
    this.registries = new TestRegistries(resources, () => new Date(this.clock.now()), level);
    this.cluster = new Cluster({
      ...this.registries.context,
      clock: this.clock,
      naming: api.naming,
      settings: defaultSettings,
      level,
      isEnabled: api.isEnabled,
      version: `v${level}.0`,
      random: () => 0.5,
      admission: () => ({}),
    });
  }

  async start(...make: readonly ((cluster: Cluster) => SimulatedController)[]): Promise<void> {
    await this.cluster.start();
    for (const each of make) {
      const controller = each(this.cluster);
      this.#controllers.push(controller);
      await controller.start();
    }
  }

  async stop(): Promise<void> {
    for (const controller of this.#controllers) await controller.stop();
    await this.cluster.stop();
  }

  /** Finds an object in the namespace `ns`, or without a namespace. */
  async find<R extends BuiltinResource>(resource: R, name: string): Promise<BuiltinObjects[R] | undefined> {
    const registry = this.cluster.context.builtin(resource);
    const namespace = registry.definition.namespaced ? "ns" : "";
    return (await registry.find(namespace, name, { kind: "mostRecent" }))?.decode();
  }

  async pods(): Promise<readonly Pod[]> {
    const { items } = await this.cluster.context
      .builtin("pods")
      .list({ prefix: "ns/", at: { kind: "mostRecent" }, limit: 0 });
    return items.map((stored) => stored.decode());
  }

  /** Writes the phase as the agent of its node would. */
  async setPhase(name: string, phase: "Running" | "Succeeded" | "Failed", isReady = phase === "Running") {
    await this.cluster.writer("agent").changePart("pods", { namespace: "ns", name }, ({ status }) => {
      status.phase = phase;
      const lastTransitionTime = new Date(this.clock.now()).toISOString().replace(/\.\d+Z/, "Z");
      status.conditions = [{ type: "Ready", status: isReady ? "True" : "False", lastTransitionTime }];
    });
  }

  /** Removes a pod that is being deleted, as its node's agent would. */
  async removePod(name: string): Promise<void> {
    await this.cluster.writer("agent").delete("pods", { namespace: "ns", name }, { gracePeriodSeconds: 0 });
  }
}
