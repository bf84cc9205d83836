import type { EventRecorder } from "../machinery/event-recorder.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";

/** The first of the addresses reserved for network tests, 198.18.0.0/15. */
const firstAddress = 0xc6120001;
const addressesMax = 2 ** 17 - 2;

/** Gives load balancer services an address. Source: Kubernetes' service controller, with a cloud that always has one. */
export class LoadBalancers implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #loop: SyncLoop;
  readonly #used = new Map<string, string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("service-controller");
    this.#recorder = cluster.recorder("service-controller");
    this.#loop = cluster.loop({ name: "service", workers: 1, sync: (key) => this.#sync(key) });
  }

  start(): void {
    this.#loop.fedBy(this.#cluster.views.of("services").onChange(({ key }) => this.#loop.add(key)));
  }

  stop(): Promise<void> {
    return this.#loop.close();
  }

  async #sync(key: string): Promise<void> {
    const view = this.#cluster.views.of("services").get(key);
    const { spec, status } = view?.stored.decode() ?? {};
    const known = status?.loadBalancer?.ingress?.[0]?.ip;
    const isWanted = spec?.type === "LoadBalancer" && (spec.loadBalancerClass ?? "") === "";
    if (view === undefined || !isWanted) {
      for (const [ip, user] of this.#used) if (user === key) this.#used.delete(ip);
      if (view !== undefined && known !== undefined && spec?.type !== "LoadBalancer") {
        await this.#writer.changePart("services", view, (service) => {
          service.status.loadBalancer = {};
        });
      }
      return;
    }
    if (known !== undefined) {
      this.#used.set(known, key);
      return;
    }
    const subject = {
      apiVersion: "v1",
      kind: "Service",
      namespace: view.namespace,
      name: view.name,
      uid: view.uid,
    };
    this.#recorder.record(subject, "Normal", "EnsuringLoadBalancer", "Ensuring load balancer");
    const ip = this.#address(key, spec.loadBalancerIP);
    await this.#writer.changePart("services", view, (service) => {
      // The API sets this default for clients only; status writes of the server itself do not pass there.
      const mode = this.#cluster.context.isEnabled("LoadBalancerIPMode") ? { ipMode: "VIP" } : {};
      service.status.loadBalancer = { ingress: [{ ip, ...mode }] };
    });
    this.#recorder.record(subject, "Normal", "EnsuredLoadBalancer", "Ensured load balancer");
  }

  #address(key: string, asked: string | undefined): string {
    if (asked !== undefined && asked !== "") return asked;
    for (let number = 0; number < addressesMax; number++) {
      const value = firstAddress + number;
      const ip = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
      if (this.#used.has(ip)) continue;
      this.#used.set(ip, key);
      return ip;
    }
    throw new Error("no load balancer address is left");
  }
}
