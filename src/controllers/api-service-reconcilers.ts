import { compareText } from "../apimachinery/collections/compare-text.js";
import { isDeepEqual } from "../apimachinery/collections/deep-equal.js";
import type { EndpointPort, EndpointSubset } from "../apis/gen/core-v1.js";

/** Keeps this server among the addresses of the API's own service, together with the other servers of the cluster. */
export interface EndpointReconciler {
  /** Adds this server, and does whatever else the kind of reconciler requires. With `withPorts`, corrects the ports too. */
  reconcile(withPorts: boolean): Promise<void>;
  /** Removes this server. */
  remove(): Promise<void>;
}

/** The Endpoints object that all servers write. */
export interface SharedEndpoints {
  /**
   * Replaces the newest subsets, undefined when there are no endpoints yet, by the result of `change`; an undefined result changes
   * nothing. May call `change` several times.
   */
  change(
    change: (current: readonly EndpointSubset[] | undefined) => readonly EndpointSubset[] | undefined,
  ): Promise<void>;
}

/** Addresses of running servers, in the backing store. An entry that is not renewed expires. */
export interface ServerAddresses {
  renew(address: string): Promise<void>;
  list(): Promise<readonly string[]>;
  /** Does nothing when there is none. */
  remove(address: string): Promise<void>;
}

export interface ReconcilerParts {
  readonly endpoints: SharedEndpoints;
  /** The address at which clients in the cluster reach this server. */
  readonly address: string;
  /** Called when the server listens. */
  readonly ports: () => readonly EndpointPort[];
}

/**
 * Each server renews its address in the store and publishes all addresses found there: a server that ends in any way leaves the endpoints
 * when its entry expires. Source: `pkg/controlplane/reconcilers/lease.go`.
 */
export function leaseReconciler(parts: ReconcilerParts, addresses: ServerAddresses): EndpointReconciler {
  const { endpoints, address, ports } = parts;
  const writeDown = (listed: readonly string[], withPorts: boolean): Promise<void> =>
    endpoints.change((current) => leasedSubsets(current, listed, ports(), withPorts));
  return {
    async reconcile(withPorts) {
      await addresses.renew(address);
      const listed = await addresses.list();
      if (listed.length === 0) {
        throw new Error(
          "no addresses of API servers were listed in the store: their service's endpoints stay",
        );
      }
      await writeDown(listed, withPorts);
    },
    async remove() {
      await addresses.remove(address);
      const others = await addresses.list();
      // Empty endpoints would be no more useful than outdated ones.
      if (others.length > 0) await writeDown(others, true);
    },
  };
}

/**
 * Each server adds itself, and removes those after it if there are more than configured. Crashed servers stay listed. Source:
 * `pkg/controlplane/reconcilers/mastercount.go`.
 */
export function countReconciler(parts: ReconcilerParts, count: number): EndpointReconciler {
  const { endpoints, address, ports } = parts;
  return {
    reconcile: (withPorts) =>
      endpoints.change((current) => countedSubsets(current, { address, ports: ports(), count, withPorts })),
    remove: () => endpoints.change((current) => current && withoutAddress(current, address)),
  };
}

/** Leaves the endpoints unchanged. */
export function noReconciler(): EndpointReconciler {
  return { reconcile: async () => undefined, remove: async () => undefined };
}

/** Endpoints for exactly the servers in `listed`. */
export function leasedSubsets(
  current: readonly EndpointSubset[] | undefined,
  listed: readonly string[],
  ports: readonly EndpointPort[],
  withPorts: boolean,
): readonly EndpointSubset[] {
  const known = onlySubset(current);
  const keepPorts = known !== undefined && !withPorts;
  return [{ addresses: inOrder(listed), ports: keepPorts ? (known.ports ?? []) : [...ports] }];
}

export interface CountedServer {
  readonly address: string;
  readonly ports: readonly EndpointPort[];
  /** Configured number of servers. */
  readonly count: number;
  readonly withPorts: boolean;
}

/** The endpoints with this server, at most `count` in total: those that follow it in order are removed. */
export function countedSubsets(
  current: readonly EndpointSubset[] | undefined,
  { address, ports, count, withPorts }: CountedServer,
): readonly EndpointSubset[] {
  const known = onlySubset(current);
  if (known === undefined) return [{ addresses: [{ ip: address }], ports: [...ports] }];
  const there = (known.addresses ?? []).map(({ ip }) => ip);
  const addresses = inOrder([...there, address]);
  while (addresses.length > count) {
    const own = addresses.findIndex(({ ip }) => ip === address);
    addresses.splice((own + 1) % addresses.length, 1);
  }
  const { ports: knownPorts = [] } = known;
  return [{ addresses, ports: withPorts && !isDeepEqual(knownPorts, ports) ? [...ports] : knownPorts }];
}

function withoutAddress(current: readonly EndpointSubset[], address: string): readonly EndpointSubset[] {
  return current
    .map((subset) => ({ ...subset, addresses: (subset.addresses ?? []).filter(({ ip }) => ip !== address) }))
    .filter(({ addresses, notReadyAddresses = [] }) => addresses.length + notReadyAddresses.length > 0);
}

/** These servers only ever write one subset. */
function onlySubset(current: readonly EndpointSubset[] | undefined): EndpointSubset | undefined {
  return current?.length === 1 ? current[0] : undefined;
}

function inOrder(addresses: readonly string[]): { ip: string }[] {
  const unique = [...new Set(addresses)];
  return unique.sort(compareText).map((ip) => ({ ip }));
}
