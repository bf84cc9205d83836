import type { Duplex } from "node:stream";
import type { Dial } from "../remote/remote-client.js";
import { dialService } from "./dial-service.js";
import type { Address } from "./service-backends.js";

export interface ServiceRouteParts {
  /** Of the service, for errors: `NAME.NAMESPACE.svc`. */
  readonly name: string;
  readonly dial: Dial;
  /** Connects to the endpoints of the service even where its cluster IP is routed. */
  readonly toEndpoints: boolean;
  /** In [0, 1). */
  readonly random: () => number;
}

interface KnownAddresses {
  readonly service: Address | undefined;
  readonly endpoints: readonly Address[];
}

/** The way to a service: its cluster IP, or one of its endpoints where that is not routed. */
export class ServiceRoute {
  readonly #parts: ServiceRouteParts;
  #addresses: KnownAddresses = { service: undefined, endpoints: [] };
  /** Whether the cluster IP can be reached; unknown until the first attempt. */
  #isRouted: boolean | undefined;

  constructor(parts: ServiceRouteParts) {
    this.#parts = parts;
  }

  /** Later connections go to these addresses. */
  use(addresses: KnownAddresses): void {
    this.#addresses = addresses;
  }

  /** The next connection tests again whether the cluster IP is routed. */
  forget(): void {
    this.#isRouted = undefined;
  }

  /** Undefined while no address is known. */
  address(): Address | undefined {
    const { service } = this.#addresses;
    const isServiceTried = service !== undefined && !this.#parts.toEndpoints && this.#isRouted !== false;
    return isServiceTried ? service : (this.#anyEndpoint() ?? service);
  }

  /** Rejects when no address is known, and when none can be reached. */
  async dial(signal: AbortSignal): Promise<Duplex> {
    const { dial, name } = this.#parts;
    const address = this.address();
    if (address === undefined) throw new Error(`no address of ${name} is known`);
    const endpoint = this.#anyEndpoint();
    if (address !== this.#addresses.service || endpoint === undefined || this.#isRouted === true) {
      return await dial(address, signal);
    }
    const { connection, isRouted } = await dialService(dial, { clusterIp: address, endpoint }, signal);
    this.#isRouted = isRouted;
    return connection;
  }

  #anyEndpoint(): Address | undefined {
    const { endpoints } = this.#addresses;
    return endpoints[Math.floor(this.#parts.random() * endpoints.length)];
  }
}
