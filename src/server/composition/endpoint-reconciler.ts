import { specialIpProblems } from "../../apis/checks/non-special-ip.js";
import { ApiServiceEndpoints } from "../../controllers/api-service-endpoints.js";
import { createServerAddresses } from "../../controllers/api-service-leases.js";
import {
  countReconciler,
  type EndpointReconciler,
  leaseReconciler,
  noReconciler,
} from "../../controllers/api-service-reconcilers.js";
import type { ControllerContext } from "../../controllers/controller.js";
import type { Naming } from "../../naming/naming.js";
import { createResourceCodec } from "../../registry/generic/resource-codec.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import type { Options } from "../options/options.js";
import { advertisedAddress } from "../settings/cluster-addresses.js";
import type { Stores } from "../stores/open-store.js";

export interface EndpointReconcilerParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly context: ControllerContext;
  readonly stores: Stores;
  /** Its port is known when the controllers start. */
  readonly lifecycle: Pick<Lifecycle, "port">;
}

/** Maintains this server's address in the endpoints of the API server's own service. */
export function endpointReconciler({
  options,
  naming,
  context,
  stores,
  lifecycle,
}: EndpointReconcilerParts): EndpointReconciler {
  const { log } = context;
  const address = advertisedAddress(options.advertiseAddress, options.bindAddress);
  // Other machines cannot reach a loopback address.
  if (address === undefined || options.endpointReconcilerType === "none") return noReconciler();
  const [problem] = specialIpProblems(address);
  if (problem !== undefined) {
    log.warn(
      "the API server's own service has no endpoints, because the advertised address cannot be one: set --advertise-address",
      {
        address,
        problem,
      },
    );
    return noReconciler();
  }
  const endpoints = new ApiServiceEndpoints(context, {
    name: naming.apiServiceName,
    serviceNameLabel: `${naming.domain}/service-name`,
    skipMirrorLabel: `endpointslice.${naming.domain}/skip-mirror`,
  });
  const ports = () => [{ name: "https", port: lifecycle.port, protocol: "TCP" }];
  if (options.endpointReconcilerType === "master-count") {
    return countReconciler({ endpoints, address, ports }, options.apiserverCount);
  }
  const codec = createResourceCodec(context.builtin("endpoints").definition, options.storageMediaType);
  return leaseReconciler(
    { endpoints, address, ports },
    createServerAddresses(stores.openPlain("/masterleases", codec)),
  );
}
