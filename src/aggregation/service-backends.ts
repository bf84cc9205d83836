import { type ApiLevel, isAtLeast } from "../apimachinery/levels/api-level.js";
import { canonicalIp, hostToDial } from "../apimachinery/validation/ip-addresses.js";
import type { Endpoints } from "../apis/gen/core-v1.js";
import type { EndpointSlice } from "../apis/gen/discovery-v1.js";
import { type Following, follow } from "../informers/follow.js";
import type { BuiltinRegistries } from "../registry/generic/builtin-registries.js";

/** A server behind a service. */
export interface Address {
  /** Name, or address in its canonical form; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** What is known about the servers behind one service. */
export interface Backends {
  /** What conditions call the objects that list the servers. */
  readonly word: "endpoints" | "endpointslices";
  /** Whether such an object exists. */
  readonly exist: boolean;
  /** The addresses of servers that are ready. `family` is preferred where both are known: `IPv4` or `IPv6`. */
  ready(portName: string, family: string | undefined): readonly Address[];
}

/** The servers behind services, from Endpoints, and from 1.34 on from EndpointSlices. */
export interface ServiceBackends {
  of(namespace: string, name: string): Promise<Backends>;
  /** Calls `changed` with `namespace/name` of a service when its servers may have changed. */
  follow(changed: (service: string) => void): Promise<Following>;
}

export interface ServiceBackendsParts {
  readonly level: ApiLevel;
  /** Called on use. */
  readonly builtin: BuiltinRegistries;
  /** `DOMAIN/service-name`. */
  readonly serviceNameLabel: string;
}

export function serviceBackends({ level, builtin, serviceNameLabel }: ServiceBackendsParts): ServiceBackends {
  if (!isAtLeast(level, "1.34")) {
    return {
      async of(namespace, name) {
        const found = await builtin("endpoints").find(namespace, name, { kind: "any" });
        return backendsOfEndpoints(found?.decode());
      },
      follow: (changed) => follow(builtin("endpoints"), { change: (_type, { key }) => changed(key) }),
    };
  }
  return {
    async of(namespace, name) {
      const { items } = await builtin("endpointslices.discovery").list({
        prefix: `${namespace}/`,
        matches: ({ labels }) => labels[serviceNameLabel] === name,
        at: { kind: "any" },
        limit: 0,
      });
      return backendsOfSlices(items.map((stored) => stored.decode()));
    },
    follow: (changed) =>
      follow(builtin("endpointslices.discovery"), {
        change(_type, { key, labels }) {
          const name = labels[serviceNameLabel];
          if (name !== undefined) changed(`${key.slice(0, key.indexOf("/"))}/${name}`);
        },
      }),
  };
}

export function backendsOfEndpoints(endpoints: Endpoints | undefined): Backends {
  return {
    word: "endpoints",
    exist: endpoints !== undefined,
    ready: (portName) =>
      (endpoints?.subsets ?? []).flatMap(({ addresses = [], ports = [] }) => {
        const found = ports.find((each) => (each.name ?? "") === portName);
        if (found === undefined) return [];
        return addresses.flatMap(({ ip }) => addressOf(canonicalIp(ip), found.port));
      }),
  };
}

export function backendsOfSlices(slices: readonly EndpointSlice[]): Backends {
  return {
    word: "endpointslices",
    exist: slices.length > 0,
    ready(portName, family) {
      const preferred = slices.filter(({ addressType }) => addressType === family);
      const found = readyIn(preferred, portName);
      return found.length > 0 ? found : readyIn(slices, portName);
    },
  };
}

function readyIn(slices: readonly EndpointSlice[], portName: string): readonly Address[] {
  return slices.flatMap(({ endpoints = [], ports = [] }) => {
    const port = ports.find((each) => (each.name ?? "") === portName && each.port !== undefined)?.port;
    if (port === undefined) return [];
    return endpoints.flatMap(({ addresses = [], conditions }) =>
      // An endpoint without a ready condition counts as ready.
      conditions.ready === false ? [] : addressOf(hostToDial(addresses[0] ?? ""), port),
    );
  });
}

function addressOf(host: string | undefined, port: number): readonly Address[] {
  return host === undefined ? [] : [{ host, port }];
}
