import type { SyncLoop } from "../machinery/sync-loop.js";
import { timeMs } from "../machinery/times.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { endCondition } from "./job-conditions.js";

/** Deletes ended jobs after the time that they set. Source: Kubernetes' TTL-after-finished controller. */
export class EndedJobs implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #loop: SyncLoop;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("ttl-after-finished-controller");
    this.#loop = cluster.loop({ name: "ttl_jobs_to_delete", sync: (key) => this.#sync(key) });
  }

  start(): void {
    this.#loop.fedBy(this.#cluster.views.selecting("jobs.batch").onChange(({ key }) => this.#loop.add(key)));
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.selecting("jobs.batch").get(key);
    if (view === undefined) {
      this.#loop.forget(key);
      return;
    }
    const { spec, status } = view.stored.decode();
    const ended = timeMs(endCondition(status)?.lastTransitionTime);
    if (spec.ttlSecondsAfterFinished === undefined || ended === undefined || view.isTerminating) return;
    const at = ended + spec.ttlSecondsAfterFinished * 1000;
    if (at > this.#cluster.now()) {
      this.#loop.addAt(key, at);
      return;
    }
    await this.#writer.delete("jobs.batch", view, { propagationPolicy: "Foreground" });
  }
}
