import type { Endpoints, Service } from "../apis/gen/core-v1.js";

export interface Address {
  /** Name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The addresses of a service's server, or why there are none. */
export type ServiceAddresses =
  | {
      readonly kind: "found";
      /** The cluster IP, if the service has one. */
      readonly service: Address | undefined;
      /** Ready pods behind the service. */
      readonly endpoints: readonly Address[];
    }
  | { readonly kind: "missing"; readonly reason: string; readonly message: string };

export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Reasons and messages are those of kube-aggregator 1.23, which tools look for. */
export function serviceAddresses(
  { namespace, name, port }: ServiceName,
  service: Service | undefined,
  endpoints: Endpoints | undefined,
): ServiceAddresses {
  const quoted = JSON.stringify(namespace);
  if (service === undefined) {
    return missing("ServiceNotFound", `service/${name} in ${quoted} is not present`);
  }
  const { type = "ClusterIP", externalName = "", clusterIP = "", ports = [] } = service.spec;
  if (type === "ExternalName") {
    return { kind: "found", service: { host: externalName, port }, endpoints: [] };
  }
  const servicePort = ports.find((each) => each.port === port);
  if (servicePort === undefined) {
    return missing("ServicePortError", `service/${name} in ${quoted} is not listening on port ${port}`);
  }
  const own = clusterIP === "" || clusterIP === "None" ? undefined : { host: clusterIP, port };
  if (endpoints === undefined && type === "ClusterIP") {
    return missing("EndpointsNotFound", `cannot find endpoints for service/${name} in ${quoted}`);
  }
  const portName = servicePort.name ?? "";
  const ready = (endpoints?.subsets ?? []).flatMap(({ addresses = [], ports: open = [] }) => {
    const found = open.find((each) => (each.name ?? "") === portName);
    return found === undefined ? [] : addresses.map(({ ip }) => ({ host: ip, port: found.port }));
  });
  if (ready.length === 0 && type === "ClusterIP") {
    return missing(
      "MissingEndpoints",
      `endpoints for service/${name} in ${quoted} have no addresses with port name ${JSON.stringify(portName)}`,
    );
  }
  return { kind: "found", service: own, endpoints: ready };
}

function missing(reason: string, message: string): ServiceAddresses {
  return { kind: "missing", reason, message };
}
