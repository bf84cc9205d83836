import { ApiServiceController } from "../controllers/api-service.js";
import type { Controller, ControllerContext } from "../controllers/controller.js";
import { defaultServiceAccount, rootCaConfigMap } from "../controllers/default-objects.js";
import { GarbageCollector } from "../controllers/garbage-collector/garbage-collector.js";
import { NamespaceController } from "../controllers/namespace-controller.js";
import { NamespaceDefaultController } from "../controllers/namespace-defaults.js";
import type { Naming } from "../naming/naming.js";
import { advertisedAddress, defaultServiceRange, firstAddress } from "./cluster-addresses.js";
import { isControllerSelected } from "./options/groups/local.js";
import type { Options } from "./options/options.js";

export interface ControllersParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly context: ControllerContext;
  /** PEM of the authority that clients verify the server by. */
  readonly caPem: string;
  readonly port: number;
}

/** The loops that `--controllers` leaves on. */
export function createControllers(parts: ControllersParts): readonly Controller[] {
  const { options, naming, context, caPem, port } = parts;
  const makers: Readonly<Record<string, () => Controller>> = {
    ...(options.enableGarbageCollector && { garbagecollector: () => new GarbageCollector(context) }),
    namespace: () => new NamespaceController(context, { finalizer: naming.vendor }),
    "apiserver-service": () =>
      new ApiServiceController(context, {
        name: naming.apiServiceName,
        clusterIp: firstAddress(options.serviceClusterIpRange[0] ?? defaultServiceRange),
        advertiseAddress: advertisedAddress(options.advertiseAddress, options.bindAddress),
        port,
        serviceNameLabel: `${naming.domain}/service-name`,
        discoveryGroup: naming.group("discovery"),
        skipMirrorLabel: `endpointslice.${naming.domain}/skip-mirror`,
      }),
    serviceaccount: () => new NamespaceDefaultController(context, defaultServiceAccount),
    "root-ca-cert-publisher": () =>
      new NamespaceDefaultController(
        context,
        rootCaConfigMap({
          name: naming.rootCaConfigMapName,
          caPem,
          descriptionAnnotation: `${naming.domain}/description`,
        }),
      ),
  };
  return controllerNamesOf(makers)
    .filter((name) => isControllerSelected(name, options.controllers))
    .map((name) => makers[name]?.())
    .filter((controller) => controller !== undefined);
}

function controllerNamesOf(makers: Readonly<Record<string, unknown>>) {
  return Object.keys(makers) as Parameters<typeof isControllerSelected>[0][]; // the keys above are its names
}
