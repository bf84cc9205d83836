import type { Controller } from "../../controllers/controller.js";
import type { Lab } from "../../lab/lab.js";
import type { Simulation } from "../../simulation/simulation.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { EgressSelection } from "../connections/egress-selection.js";
import type { ComposedEndpoints } from "../endpoints/compose-endpoints.js";
import type { Closing } from "../lifecycle/closing.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { ServerPki } from "../pki/server-pki.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import type { ServerIdentity } from "../settings/server-identity.js";
import { usesStorageVersions } from "../settings/uses-storage-versions.js";
import type { Stores } from "../stores/open-store.js";
import { createAggregation } from "./aggregation.js";
import { createControllers } from "./create-controllers.js";
import { createFlowControl, type FlowControlSetup, usesFlowControl } from "./flow-control.js";
import { createLab } from "./lab.js";
import type { ServerAccess } from "./server-access.js";
import { createSimulation } from "./simulation.js";
import { createStorageVersions, type StorageVersions } from "./storage-versions.js";

export interface ControllersComposition {
  readonly parts: ApiServerParts;
  /** Everything that is opened registers here. */
  readonly closing: Closing;
  readonly gates: FeatureGates;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  readonly stores: Stores;
  readonly pki: ServerPki;
  readonly egress: EgressSelection;
  readonly identity: ServerIdentity;
  readonly endpoints: ComposedEndpoints<ServerAccess>;
}

export interface ComposedControllers {
  /** The post-start hooks start them. */
  readonly controllers: readonly Controller[];
  /** Undefined when fixed limits apply. */
  readonly flowControl: FlowControlSetup | undefined;
  /** Undefined when storage versions are not registered. */
  readonly storageVersions: StorageVersions | undefined;
  readonly simulation: Simulation | undefined;
  readonly lab: Lab | undefined;
}

/** What runs beside requests, and the parts of it that requests meet. */
export async function composeControllers(composition: ControllersComposition): Promise<ComposedControllers> {
  const { parts, closing, gates, metrics, lifecycle, stores, pki, egress, identity, endpoints } = composition;
  const { options, naming } = parts;
  const { catalog, context, informers, schemas, yaml } = endpoints;
  const aggregation = createAggregation({
    options,
    naming,
    catalog,
    context,
    backends: endpoints.backends,
    dial: egress.cluster,
    certificate: endpoints.proxyClientCertificate,
    metrics,
    isEnabled: gates.isEnabled,
  });
  const flowControl = usesFlowControl(options, gates)
    ? createFlowControl({ options, naming, gates, metrics, informers, catalog, context })
    : undefined;
  const storageVersions = usesStorageVersions(gates)
    ? createStorageVersions(context, naming, identity)
    : undefined;
  const simulation = await createSimulation({ parts, catalog, context, pki, gates });
  const lab = await createLab(parts, {
    stores,
    identity,
    catalog,
    context,
    metrics,
    schemas,
    yaml,
    closing,
  });
  const controllers = [
    endpoints.definitions,
    ...createControllers({
      options,
      naming,
      context,
      informers,
      caPem: pki.caPem,
      port: () => lifecycle.port,
      serviceAccountTokens: endpoints.serviceAccountTokens,
      authentication: endpoints.access.authentication,
      stores,
      gates,
      identity,
      storageVersions,
    }),
    ...(flowControl === undefined ? [] : [flowControl.objects]),
    aggregation.registration,
    aggregation.aggregator,
    ...(simulation === undefined ? [] : [simulation]),
    ...(lab === undefined ? [] : [lab.controller]),
  ];
  return { controllers, flowControl, storageVersions, simulation, lab: lab?.lab };
}
