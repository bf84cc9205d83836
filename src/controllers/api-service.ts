import type { ApiObject } from "../apimachinery/meta.js";
import { isDeepEqual } from "../apis/definition/base-strategy.js";
import type { Endpoints, Service } from "../apis/gen/core-v1.js";
import type { EndpointSlice } from "../apis/gen/discovery-v1.js";
import { isStatus } from "../registry/generic/storage-status.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "./controller.js";

export interface ApiServiceOptions {
  /** Of the Service and its Endpoints, in namespace `default`. */
  readonly name: string;
  /** First address of the service range, which the allocator keeps free for this. */
  readonly clusterIp: string;
  /** Where members of the cluster reach this server; undefined when only this machine can. */
  readonly advertiseAddress: string | undefined;
  readonly port: number;
  /** `DOMAIN/service-name`. */
  readonly serviceNameLabel: string;
  /** Group of endpoint slices, in the profile's words. */
  readonly discoveryGroup: string;
  /** Labels that keep other controllers' hands off: the slice is this one's. */
  readonly skipMirrorLabel: string;
}

const namespace = "default";
const repairIntervalMs = 10_000;

/** Keeps the Service, Endpoints and EndpointSlice under which the cluster finds its API server. */
export class ApiServiceController implements Controller {
  readonly #context: ControllerContext;
  readonly #options: ApiServiceOptions;
  readonly #user = controllerUser("system:apiserver");
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(context: ControllerContext, options: ApiServiceOptions) {
    this.#context = context;
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#reconcile();
    this.#timer = setInterval(() => {
      this.#running = this.#reconcile().catch((error: unknown) => {
        this.#context.log.verbose(2, "the API server's own service could not be written", {
          reason: String(error),
        });
      });
    }, repairIntervalMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #reconcile(): Promise<void> {
    const { advertiseAddress, discoveryGroup } = this.#options;
    await this.#ensureService();
    if (advertiseAddress === undefined) return;
    await this.#ensure("", "endpoints", this.#endpoints(advertiseAddress), ["subsets"]);
    await this.#ensure(discoveryGroup, "endpointslices", this.#slice(advertiseAddress), [
      "addressType",
      "endpoints",
      "ports",
    ]);
  }

  async #ensureService(): Promise<void> {
    const { name, clusterIp, port } = this.#options;
    const service = {
      metadata: { name, namespace, labels: { component: "apiserver", provider: name } },
      spec: {
        clusterIP: clusterIp,
        clusterIPs: [clusterIp],
        ipFamilies: [clusterIp.includes(":") ? "IPv6" : "IPv4"],
        ipFamilyPolicy: "SingleStack",
        ports: [{ name: "https", protocol: "TCP", port: 443, targetPort: port }],
        sessionAffinity: "None",
        type: "ClusterIP",
        internalTrafficPolicy: "Cluster",
      },
      status: { loadBalancer: {} },
    } satisfies Service;
    await this.#ensure("", "services", service, []);
  }

  #endpoints(advertiseAddress: string): Endpoints {
    const { name, port, skipMirrorLabel } = this.#options;
    return {
      metadata: { name, namespace, labels: { [skipMirrorLabel]: "true" } },
      subsets: [{ addresses: [{ ip: advertiseAddress }], ports: [{ name: "https", port, protocol: "TCP" }] }],
    };
  }

  #slice(advertiseAddress: string): EndpointSlice {
    const { name, port, serviceNameLabel } = this.#options;
    return {
      metadata: { name, namespace, labels: { [serviceNameLabel]: name } },
      addressType: advertiseAddress.includes(":") ? "IPv6" : "IPv4",
      endpoints: [{ addresses: [advertiseAddress], conditions: { ready: true } }],
      ports: [{ name: "https", port, protocol: "TCP" }],
    };
  }

  /** Creates the object, or brings `fields` of the one that is there to what they are to be. */
  async #ensure(
    group: string,
    resource: string,
    wanted: ApiObject,
    fields: readonly string[],
  ): Promise<void> {
    const registry = this.#context.registry(group, resource);
    const name = wanted.metadata.name ?? "";
    const write = controllerWrite(this.#context, this.#user, namespace);
    const values = new Map(Object.entries(wanted));
    try {
      const current = Object.entries((await registry.get(namespace, name, { kind: "any" })).decode());
      const existing = new Map(current);
      if (fields.every((field) => isDeepEqual(existing.get(field), values.get(field)))) return;
      await registry.update(write, name, {
        transform: async (latest) => {
          if (latest === undefined) return wanted;
          return Object.assign(
            latest.copy(),
            Object.fromEntries(fields.map((field) => [field, values.get(field)])),
          );
        },
        validate: async () => {},
      });
    } catch (error) {
      if (!isStatus(error, "NotFound")) throw error;
      try {
        await registry.create(write, wanted, async () => {});
      } catch (failure) {
        if (!isStatus(failure, "AlreadyExists")) throw failure;
      }
    }
  }
}
