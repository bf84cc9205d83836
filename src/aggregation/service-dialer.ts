import type { Duplex } from "node:stream";
import type { Dial } from "../remote/remote-client.js";
import type { Address } from "./service-backends.js";

/** Packets to an unrouted service address may vanish, so the endpoints are tried in parallel. */
const serviceAddressHeadStartMs = 500;

export interface ServiceDialerParts {
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

/** Connects to a service: to its cluster IP, or to one of its endpoints where that is not routed. */
export class ServiceDialer {
  readonly #parts: ServiceDialerParts;
  #addresses: KnownAddresses = { service: undefined, endpoints: [] };
  /** Whether the service's cluster IP can be reached; unknown until the first attempt. */
  #isServiceRouted: boolean | undefined;

  constructor(parts: ServiceDialerParts) {
    this.#parts = parts;
  }

  /** From now on. */
  use(addresses: KnownAddresses): void {
    this.#addresses = addresses;
  }

  /** The next connection finds out again whether the cluster IP is routed. */
  forgetRoute(): void {
    this.#isServiceRouted = undefined;
  }

  chosenAddress(): Address | undefined {
    const { service } = this.#addresses;
    const isServiceTried =
      service !== undefined && !this.#parts.toEndpoints && this.#isServiceRouted !== false;
    return isServiceTried ? service : (this.#anyEndpoint() ?? service);
  }

  /** Rejects when no address is known, and when none can be reached. */
  async dial(signal: AbortSignal): Promise<Duplex> {
    const first = this.chosenAddress();
    if (first === undefined) throw new Error(`no address of ${this.#parts.name} is known`);
    const endpoint = this.#anyEndpoint();
    if (first !== this.#addresses.service || endpoint === undefined || this.#isServiceRouted === true) {
      return await this.#parts.dial(first, signal);
    }
    const losing = new AbortController();
    const attempt = async (address: Address, routed: boolean): Promise<Duplex> => {
      const connection = await this.#parts.dial(address, AbortSignal.any([signal, losing.signal]));
      if (losing.signal.aborted) {
        connection.destroy();
        throw new Error("another connection was faster");
      }
      losing.abort();
      this.#isServiceRouted = routed;
      return connection;
    };
    const toService = attempt(first, true);
    const beside = Promise.race([
      toService.then(
        () => undefined,
        () => undefined,
      ),
      new Promise<void>((resolve) => setTimeout(resolve, serviceAddressHeadStartMs).unref()),
    ]).then(() => attempt(endpoint, false));
    try {
      return await Promise.any([toService, beside]);
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    }
  }

  #anyEndpoint(): Address | undefined {
    const { endpoints } = this.#addresses;
    return endpoints[Math.floor(this.#parts.random() * endpoints.length)];
  }
}
