import type { TokenAuthenticator } from "../../access/authentication/token-union.js";
import { type ServiceBackends, serviceBackends } from "../../aggregation/service-backends.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { type BuiltinResource, builtinResourceName } from "../../apis/builtin-objects.js";
import { builtinTypes } from "../../apis/builtin-types.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Controller, ControllerContext } from "../../controllers/controller.js";
import { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import type { NodeAgentSettings } from "../../endpoints/connect/node-agent.js";
import { Informers } from "../../informers/informers.js";
import type { ServiceAllocation } from "../../registry/core/service/service-allocation.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { EscalationParts } from "../../registry/rbac/escalation-hooks.js";
import { directDial } from "../../remote/direct-dial.js";
import type { Metrics } from "../../telemetry/metrics.js";
import {
  loadServiceAccountTokens,
  type ServiceAccountTokens,
} from "../authentication/service-account-tokens.js";
import type { EgressSelection } from "../connections/egress-selection.js";
import { loadNodeAgentTls } from "../connections/node-agents.js";
import {
  loadProxyClientCertificate,
  type ProxyClientCertificate,
} from "../connections/proxy-client-certificate.js";
import { ServiceDialer } from "../connections/service-dialer.js";
import type { Closing } from "../lifecycle/closing.js";
import { issuanceMetrics } from "../metrics/issuance-metrics.js";
import { podLogMetrics } from "../metrics/pod-log-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { forOption, readFileOfOption } from "../options/option-failure.js";
import type { ServerPki } from "../pki/server-pki.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import type { Stores } from "../stores/open-store.js";
import { builtinKinds } from "./builtin-kinds.js";
import { builtinOffers } from "./builtin-source.js";
import { composeAdmission } from "./compose-admission.js";
import { controllerContext } from "./controller-context.js";
import { customResources } from "./custom-resources.js";
import { endpointSettings } from "./endpoint-settings.js";
import { kindParts } from "./kind-parts.js";
import { systemRandom } from "./random.js";
import { serviceAllocation } from "./service-allocation.js";
import { createYamlConverter } from "./yaml.js";

/** Answers what the endpoints ask: whose a token is, and what a user may do. */
export interface EndpointAccess {
  readonly authenticateToken: TokenAuthenticator;
  readonly authorizer: Authorizer;
  readonly escalation: EscalationParts | undefined;
}

/** What decisions on access are based on. Available when the catalog and its informers are. */
export interface AccessInputs {
  readonly builtin: BuiltinRegistries;
  readonly informers: Informers;
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Whether the server has the resource. Ask it only after the built-in kinds are published. */
  serves(resource: BuiltinResource): boolean;
}

export interface EndpointComposition<Access extends EndpointAccess> {
  readonly parts: ApiServerParts;
  /** Everything that is opened registers here. */
  readonly closing: Closing;
  readonly gates: FeatureGates;
  readonly metrics: Metrics;
  readonly stores: Stores;
  readonly pki: ServerPki;
  readonly egress: EgressSelection;
  /** Where the agent of a simulated node answers. */
  readonly simulatedAgent?: NodeAgentSettings["simulated"];
  access(inputs: AccessInputs): Promise<Access>;
}

/** Everything between a request that passed the filters and the store. Nothing of it is started. */
export interface ComposedEndpoints<Access> {
  readonly access: Access;
  /** Built-in kinds that only other levels have. */
  readonly unservedKinds: readonly ResourceDefinition[];
  readonly schemas: SchemaRegistry;
  readonly yaml: YamlConverter;
  /** Its `source` offers resources other than the built-in kinds. */
  readonly catalog: LiveCatalog;
  readonly context: ControllerContext;
  /** `add` one for cluster data that must be at hand. */
  readonly informers: Informers;
  readonly services: ServiceAllocation;
  readonly backends: ServiceBackends;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly proxyClientCertificate: ProxyClientCertificate;
  /** Establishes custom resource definitions, which are served without it. */
  readonly definitions: Controller;
}

/** Makes the catalog with its resources, and the admission that they share. A server has it once, and so has each lane. */
export async function composeEndpoints<Access extends EndpointAccess>(
  composition: EndpointComposition<Access>,
): Promise<ComposedEndpoints<Access>> {
  const { parts, closing, gates, metrics, stores, pki, egress } = composition;
  const { options, naming, log, clock } = parts;

  // The catalog, and what its resources share. Admission and settings are made below, before the first resource is published.
  const schemas = builtinTypes(naming, options.apiLevel);
  const yaml = createYamlConverter();
  const catalog = new LiveCatalog({
    openStore: (definition, codec) => stores.openObjects(definition, codec),
    storageMediaType: options.storageMediaType,
    random: systemRandom,
    garbageCollection: options.enableGarbageCollector,
    retriesGeneratedNames: gates.isEnabled("RetryGenerateName"),
    endpoints: () => ({ admission, settings }),
  });
  const settings = endpointSettings({
    options,
    naming,
    gates,
    schemas,
    yaml,
    metrics,
    isKnownType: (type) => catalog.isKnownType(type),
    authorizer: () => access.authorizer,
  });
  const context = controllerContext({ catalog, naming, log, metrics, clock });
  const { builtin } = context;
  const informers = new Informers();
  const services = serviceAllocation(parts, { stores, schemas, builtin, informers, gates, metrics });
  const serviceAccountTokens = await loadServiceAccountTokens({
    options,
    naming,
    pki,
    clock,
    metrics,
    log,
    closing,
    isEnabled: gates.isEnabled,
  });
  const access = await composition.access({
    builtin,
    informers,
    serviceAccountTokens,
    serves(name) {
      const { group, resource } = builtinResourceName(name, (stem) => naming.group(stem));
      return catalog.handle(group, resource) !== undefined;
    },
  });
  const { authenticateToken, authorizer, escalation } = access;

  // Admission, and the way to the webhooks that it and conversion call.
  const proxyClientCertificate = await loadProxyClientCertificate(pki, naming);
  const backends = serviceBackends({
    level: options.apiLevel,
    builtin,
    serviceNameLabel: `${naming.domain}/service-name`,
  });
  const webhookDials = {
    services: new ServiceDialer({
      context,
      backends,
      dial: egress.cluster ?? directDial,
      random: Math.random,
    }),
    url: egress.controlplane,
  };
  const { admission, manifests } = await composeAdmission({
    parts,
    closing,
    gates,
    metrics,
    schemas,
    context,
    informers,
    authorizer,
    dials: webhookDials,
    certificate: proxyClientCertificate,
  });

  // The sources of the catalog: built-in kinds and custom resource definitions.
  // It must be readable, though nothing in it has an effect here.
  await readFileOfOption("cloud-config", options.cloudConfig, naming);
  const kinds = builtinKinds(parts, gates, schemas, services.families);
  catalog.source("the built-in kinds").publish({
    offered: builtinOffers({
      naming,
      level: options.apiLevel,
      gates,
      ...kinds,
      kindParts: kindParts({
        options,
        naming,
        schemas,
        settings,
        registry: (group, resource) => catalog.registry(group, resource),
        builtin,
        resourceOf: (kind) => catalog.resourceOf(kind),
        admission,
        isEnabled: gates.isEnabled,
        authorizer,
        authenticateToken,
        services,
        podLogs: podLogMetrics(metrics, naming),
        certificateIssued: issuanceMetrics(metrics, naming),
        escalation,
        stores,
        serviceAccountTokens,
        nodeAgentTls: await loadNodeAgentTls(options, naming),
        simulatedAgent: composition.simulatedAgent,
      }),
    }),
  });
  await forOption("admission-control-config-file", naming, () => manifests.start(closing));
  const definitions = customResources({
    options,
    naming,
    gates,
    metrics,
    schemas,
    catalog,
    informers,
    context,
    webhookDials,
  });
  return {
    unservedKinds: kinds.unserved,
    access,
    schemas,
    yaml,
    catalog,
    context,
    informers,
    services,
    backends,
    serviceAccountTokens,
    proxyClientCertificate,
    definitions,
  };
}
