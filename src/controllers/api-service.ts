import { isDeepEqual } from "../apimachinery/collections/deep-equal.js";
import { isStatus } from "../apimachinery/errors/status.js";
import type { Service } from "../apis/gen/core-v1.js";
import { inTime } from "../time/in-time.js";
import type { EndpointReconciler } from "./api-service-reconcilers.js";
import { type Controller, type ControllerContext, serverWrite } from "./controller.js";

export interface ApiServiceOptions {
  /** Name of the Service and its Endpoints, in namespace `default`. */
  readonly name: string;
  /** First address of the service range, which the allocator reserves for this. */
  readonly clusterIp: string;
  /** Port of this server, known when the controller starts. */
  readonly port: () => number;
  /** Makes the service one of type NodePort with this port; 0 for none. */
  readonly nodePort: number;
  readonly endpoints: EndpointReconciler;
}

const namespace = "default";
const repairIntervalMs = 10_000;
/** How long to wait at most, because entries on a lease expire by themselves. */
const withdrawMs = 5000;
const createAttempts = 20;
const createPauseMs = 100;

/** Maintains the Service and the Endpoints through which the cluster finds its API servers. */
export class ApiServiceController implements Controller {
  readonly #context: ControllerContext;
  readonly #options: ApiServiceOptions;
  #cancel: (() => void) | undefined;
  #running: Promise<void> = Promise.resolve();
  #withdrawn: Promise<void> | undefined;

  constructor(context: ControllerContext, options: ApiServiceOptions) {
    this.#context = context;
    this.#options = options;
  }

  async start(): Promise<void> {
    // Type and ports are corrected only once, so that servers with different settings do not keep changing them.
    await this.#reconcile(true).catch(this.#failed);
    const { clock } = this.#context;
    // Its lease among the servers expires by the same clock.
    this.#cancel = clock.every(repairIntervalMs, () => {
      this.#running = this.#running.then(() => this.#reconcile(false)).catch(this.#failed);
      clock.track(this.#running);
    });
  }

  /** Sends clients elsewhere while this server still answers. */
  withdraw(): Promise<void> {
    this.#withdrawn ??= this.#withdraw();
    return this.#withdrawn;
  }

  async stop(): Promise<void> {
    await this.withdraw();
  }

  async #withdraw(): Promise<void> {
    if (this.#cancel === undefined) return; // this server was never entered
    this.#cancel();
    const removed = this.#running.then(() => this.#options.endpoints.remove()).catch(this.#failed);
    await inTime(removed, withdrawMs);
  }

  readonly #failed = (error: unknown): void => {
    this.#context.log.error("the API server's own service could not be written", error);
  };

  async #reconcile(withPorts: boolean): Promise<void> {
    await Promise.all([this.#ensureService(withPorts), this.#options.endpoints.reconcile(withPorts)]);
  }

  async #ensureService(withPorts: boolean): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      if (await this.#isServiceThere(withPorts)) return;
      try {
        const write = serverWrite(this.#context, namespace);
        await this.#services.create(write, this.#service());
        return;
      } catch (error) {
        // Another server may be creating it: then the address is already taken and cannot be allocated here.
        if (attempt === createAttempts) throw error;
        await new Promise((resolve) => setTimeout(resolve, createPauseMs));
      }
    }
  }

  /** Whether the service exists. Corrects its type and ports with `withPorts`. */
  async #isServiceThere(withPorts: boolean): Promise<boolean> {
    const { name } = this.#options;
    const wanted = this.#service();
    try {
      const stored = await this.#services.get(namespace, name, { kind: withPorts ? "mostRecent" : "any" });
      if (!withPorts || isAsWanted(stored.decode(), wanted)) return true;
      await this.#services.update(serverWrite(this.#context, namespace), name, {
        transform: async (latest) => {
          if (latest === undefined) return wanted;
          const service = latest.copy();
          const { type, ports, externalTrafficPolicy } = wanted.spec;
          return { ...service, spec: { ...service.spec, type, ports, externalTrafficPolicy } };
        },
      });
      return true;
    } catch (error) {
      if (isStatus(error, "NotFound")) return false;
      throw error;
    }
  }

  get #services() {
    return this.#context.builtin("services");
  }

  #service() {
    const { name, clusterIp, port, nodePort } = this.#options;
    return {
      metadata: { name, namespace, labels: { component: "apiserver", provider: name } },
      spec: {
        clusterIP: clusterIp,
        ipFamilyPolicy: "SingleStack",
        ports: [
          {
            name: "https",
            protocol: "TCP",
            port: 443,
            targetPort: port(),
            ...(nodePort > 0 && { nodePort }),
          },
        ],
        sessionAffinity: "None",
        type: nodePort > 0 ? "NodePort" : "ClusterIP",
        internalTrafficPolicy: "Cluster",
        externalTrafficPolicy: nodePort > 0 ? "Cluster" : undefined,
      },
      status: { loadBalancer: {} },
    } satisfies Service;
  }
}

function isAsWanted(service: Service, wanted: { readonly spec: Service["spec"] }): boolean {
  return service.spec?.type === wanted.spec?.type && isDeepEqual(service.spec?.ports, wanted.spec?.ports);
}
