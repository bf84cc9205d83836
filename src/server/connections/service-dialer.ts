import type { Duplex } from "node:stream";
import { dialService } from "../../aggregation/dial-service.js";
import { serviceAddresses } from "../../aggregation/service-addresses.js";
import type { ServiceBackends } from "../../aggregation/service-backends.js";
import type { ControllerContext } from "../../controllers/controller.js";
import type { Dial } from "../../remote/remote-client.js";

export interface ServiceDialerParts {
  readonly context: Pick<ControllerContext, "builtin">;
  readonly backends: ServiceBackends;
  readonly dial: Dial;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Connects to services by name. Uses the cluster IP; if that is not routed, as on a machine without a cluster network, one of the
 * endpoints.
 */
export class ServiceDialer {
  readonly #parts: ServiceDialerParts;
  /** Services whose cluster IP could not be reached, by `namespace/name:port`. */
  readonly #unrouted = new Set<string>();

  constructor(parts: ServiceDialerParts) {
    this.#parts = parts;
  }

  to(namespace: string, name: string): Dial {
    return ({ port }, signal) => this.#dial(namespace, name, port, signal);
  }

  async #dial(namespace: string, name: string, port: number, signal: AbortSignal): Promise<Duplex> {
    const { context, backends } = this.#parts;
    const service = await context.builtin("services").find(namespace, name, { kind: "any" });
    const behind = await backends.of(namespace, name);
    const found = serviceAddresses({ namespace, name, port }, service?.decode(), behind);
    if (found.kind === "missing") throw new Error(whyMissing(found, name, port));
    const key = `${namespace}/${name}:${port}`;
    const endpoint = found.endpoints[Math.floor(this.#parts.random() * found.endpoints.length)];
    const own = this.#unrouted.has(key) && endpoint !== undefined ? undefined : found.service;
    if (own === undefined) {
      if (endpoint === undefined) throw new Error(`service ${namespace}/${name} has no address`);
      return await this.#parts.dial(endpoint, signal);
    }
    if (endpoint === undefined) return await this.#parts.dial(own, signal);
    const { connection, isRouted } = await dialService(
      this.#parts.dial,
      { clusterIp: own, endpoint },
      signal,
    );
    if (!isRouted) this.#unrouted.add(key);
    return connection;
  }
}

/** The error for calls to services, in Kubernetes' words; conditions of API services have other words. */
function whyMissing(
  { reason, message }: { readonly reason: string; readonly message: string },
  name: string,
  port: number,
): string {
  if (reason === "ServiceNotFound") return `service ${JSON.stringify(name)} not found`;
  if (reason === "ServicePortError")
    return `no service port ${port} found for service ${JSON.stringify(name)}`;
  return message;
}
