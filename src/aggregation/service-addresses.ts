import { canonicalIp, hostToDial } from "../apimachinery/validation/ip-addresses.js";
import type { Service } from "../apis/gen/core-v1.js";
import type { Address, Backends } from "./service-backends.js";

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

/** Reasons and messages are those of kube-aggregator 1.23, which tools match. */
export function serviceAddresses(
  { namespace, name, port }: ServiceName,
  service: Service | undefined,
  backends: Backends,
): ServiceAddresses {
  const quoted = JSON.stringify(namespace);
  if (service === undefined) {
    return missing("ServiceNotFound", `service/${name} in ${quoted} is not present`);
  }
  const { type = "ClusterIP", externalName = "", clusterIP = "", ports = [], ipFamilies = [] } = service.spec;
  if (type === "ExternalName") {
    const host = hostToDial(externalName);
    return host === undefined
      ? missing("ServiceAccessError", `service/${name} in ${quoted} has an external name that is no host`)
      : { kind: "found", service: { host, port }, endpoints: [] };
  }
  const servicePort = ports.find((each) => each.port === port);
  if (servicePort === undefined) {
    return missing("ServicePortError", `service/${name} in ${quoted} is not listening on port ${port}`);
  }
  const ownHost = canonicalIp(clusterIP); // none of a headless service
  const own = ownHost === undefined ? undefined : { host: ownHost, port };
  if (!backends.exist && type === "ClusterIP") {
    return missing("EndpointsNotFound", `cannot find ${backends.word} for service/${name} in ${quoted}`);
  }
  const portName = servicePort.name ?? "";
  const ready = backends.ready(portName, ipFamilies[0]);
  if (ready.length === 0 && type === "ClusterIP") {
    return missing(
      "MissingEndpoints",
      `${backends.word} for service/${name} in ${quoted} have no addresses with port name ${JSON.stringify(portName)}`,
    );
  }
  return { kind: "found", service: own, endpoints: ready };
}

function missing(reason: string, message: string): ServiceAddresses {
  return { kind: "missing", reason, message };
}
