import type { RequestAuthenticator } from "../access/authentication/union.js";
import type { PluginConfigurations } from "../admission/plugin-context.js";
import type { AdmissionPluginName } from "../admission/plugin-table.js";
import type { WebhookType } from "../admission/webhooks/webhook-caller.js";
import type { Authorizer } from "../apimachinery/authorizer.js";
import { SchemaRegistry } from "../apimachinery/schema/schema-registry.js";
import type { YamlConverter } from "../apimachinery/yaml/yaml-converter.js";
import { builtinResources } from "../apis/builtin-resources.js";
import type { ApiContext } from "../apis/definition/api-context.js";
import { typePackages } from "../apis/type-packages.js";
import type { Controller, ControllerContext } from "../controllers/controller.js";
import { LiveCatalog } from "../endpoints/catalog/live-catalog.js";
import type { ResourceHandle } from "../endpoints/catalog/resource-handle.js";
import type { ConnectTls } from "../endpoints/connect/connect-result.js";
import { Informers } from "../informers/informers.js";
import type { ServiceAllocation } from "../registry/core/service/service-allocation.js";
import { directDial } from "../remote/direct-dial.js";
import type { Metrics } from "../telemetry/metrics.js";
import { createAdmission } from "./admission.js";
import { AdmissionWebhookClients, clientConfigFileOf } from "./admission-webhooks.js";
import type { ApiServerParts } from "./api-server-parts.js";
import type { Authentication } from "./authentication/authentication.js";
import { createAuthorization } from "./authorization/authorization.js";
import type { LoadedAuthorizers } from "./authorization/load-authorizers.js";
import { builtinOffers } from "./builtin-source.js";
import { customResources } from "./custom-resources.js";
import type { EgressSelection } from "./egress-selection.js";
import { endpointSettings } from "./endpoint-settings.js";
import type { ImagePolicyWebhook } from "./image-policy-webhook.js";
import { kindParts } from "./kind-parts.js";
import { AdmissionMetrics } from "./metrics/admission-metrics.js";
import { PodSecurityMetrics } from "./metrics/pod-security-metrics.js";
import { WorkQueueMetrics } from "./metrics/work-queue-metrics.js";
import type { Stores } from "./open-store.js";
import { FeatureGates, isFeatureGateName } from "./options/feature-gates.js";
import type { Options } from "./options/options.js";
import { createRuntimeConfig, type RuntimeConfig } from "./options/runtime-config.js";
import type { ProxyClientCertificate } from "./proxy-client-certificate.js";
import { systemRandom } from "./random.js";
import type { ServiceAccountTokens } from "./service-account-tokens.js";
import { serviceAllocation } from "./service-allocation.js";
import { ServiceDialer } from "./service-dialer.js";
import { createYamlConverter } from "./yaml.js";

/** Everything that is read from files before assembly. */
export interface AssemblyInputs {
  readonly stores: Stores;
  readonly authentication: Authentication;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly nodeAgentTls: ConnectTls;
  readonly authorizers: LoadedAuthorizers;
  readonly admissionConfigurations: PluginConfigurations;
  readonly imagePolicyWebhook: ImagePolicyWebhook | undefined;
  readonly egress: EgressSelection;
  readonly proxyClientCertificate: ProxyClientCertificate;
  readonly metrics: Metrics;
}

/** The resource API over its stores, and what the rest of the server uses of it. */
export interface Assembly {
  readonly schemas: SchemaRegistry;
  readonly yaml: YamlConverter;
  /** Its `source` is where resources other than the built-in kinds come from. */
  readonly catalog: LiveCatalog;
  readonly controllerContext: ControllerContext;
  readonly gates: FeatureGates;
  /** All informers of this assembly; `add` one for cluster data that must be at hand. */
  readonly informers: Informers;
  /** The controller of custom resource definitions. */
  readonly customResources: Controller;
  readonly stores: Stores;
  readonly egress: EgressSelection;
  readonly authentication: Authentication;
  readonly authenticator: RequestAuthenticator;
  readonly authorizer: Authorizer;
  /** Clients with connections of their own. */
  readonly authorizers: LoadedAuthorizers;
  readonly services: ServiceAllocation;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly webhookClients: Readonly<Record<WebhookType, AdmissionWebhookClients>>;
  readonly imagePolicyWebhook: ImagePolicyWebhook | undefined;
}

/** The resource API over a store. */
export function assemble(parts: ApiServerParts, inputs: AssemblyInputs): Assembly {
  const { options, naming, log } = parts;
  const { stores, serviceAccountTokens } = inputs;
  const gates = new FeatureGates(options.featureGates);
  const schemas = new SchemaRegistry(typePackages, { fieldName: (neutral) => naming.field(neutral) });
  const catalog = new LiveCatalog({
    openStore: (definition, codec) => stores.openObjects(definition, codec),
    storageMediaType: options.storageMediaType,
    random: systemRandom,
    garbageCollection: options.enableGarbageCollector,
    endpoints: () => ({ admission, settings }),
  });
  const registry = (group: string, resource: string) => catalog.registry(group, resource);
  const services = serviceAllocation(parts, stores, schemas, registry);
  const context: ApiContext = {
    naming,
    schemas,
    // Vendor-named gates are not in the table; those that kinds ask for are on in this version.
    isEnabled: (gate) => !isFeatureGateName(gate) || gates.enabled(gate),
    options: {
      allowPrivileged: options.allowPrivileged,
      eventTtlSeconds: options.eventTtlMs / 1000,
      serviceIpFamilies: services.families,
    },
  };
  const definitions = builtinResources(context);
  warnOfUnknownResources(options, definitions, log);
  const informers = new Informers();
  const queueMetrics = new WorkQueueMetrics(inputs.metrics);
  const controllerContext: ControllerContext = {
    registry,
    registries: () => catalog.registries(),
    onRegistries: (listener) =>
      catalog.subscribe(({ added, removed }) =>
        listener({ added: registriesOf(added), removed: registriesOf(removed) }),
      ),
    log,
    observeQueue: (name) => queueMetrics.of(name),
    now: () => new Date(),
  };
  const yaml = createYamlConverter();
  const settings = endpointSettings({
    options,
    naming,
    gates,
    schemas,
    yaml,
    isKnownType: (type) => catalog.isKnownType(type),
  });
  const { authorizer, escalation } = createAuthorization({
    modes: options.authorizationMode,
    loaded: inputs.authorizers,
    naming,
    informers,
    registry,
  });
  const tokens = inputs.authentication.tokens((resource) => registry("", resource));
  const serviceDialer = new ServiceDialer({
    context: controllerContext,
    dial: inputs.egress.cluster ?? directDial,
    random: Math.random,
  });
  const webhookClients = admissionWebhookClients(inputs, serviceDialer);
  const admission = createAdmission({
    options,
    naming,
    isEnabled: context.isEnabled,
    configurations: inputs.admissionConfigurations,
    context: controllerContext,
    informers,
    authorizer,
    webhookClients,
    metrics: new AdmissionMetrics(inputs.metrics),
    podSecurityMetrics: new PodSecurityMetrics(inputs.metrics),
    imageReviewer: inputs.imagePolicyWebhook,
  });
  catalog.source("the built-in kinds").publish({
    offered: builtinOffers({
      naming,
      definitions,
      runtimeConfig: runtimeConfigOf(options, definitions),
      kindParts: kindParts({
        options,
        naming,
        schemas,
        settings,
        registry,
        admission,
        authorizer,
        authenticateToken: tokens,
        services,
        escalation,
        stores,
        serviceAccountTokens,
        nodeAgentTls: inputs.nodeAgentTls,
      }),
    }),
  });
  return {
    customResources: customResources({
      webhookDials: { services: serviceDialer, url: inputs.egress.controlplane },
      naming,
      schemas,
      catalog,
      informers,
      context: controllerContext,
      isStoreShared: options.storeServers.length > 0,
      checksRules: gates.enabled("CustomResourceValidationExpressions"),
    }),
    schemas,
    yaml,
    catalog,
    controllerContext,
    gates,
    informers,
    stores,
    egress: inputs.egress,
    authentication: inputs.authentication,
    authenticator: inputs.authentication.requests(tokens),
    authorizer,
    authorizers: inputs.authorizers,
    services,
    serviceAccountTokens,
    webhookClients,
    imagePolicyWebhook: inputs.imagePolicyWebhook,
  };
}

/** One for each of the two plugins, because each may have its own client identities. */
function admissionWebhookClients(
  { egress, admissionConfigurations, proxyClientCertificate }: AssemblyInputs,
  services: ServiceDialer,
): Readonly<Record<WebhookType, AdmissionWebhookClients>> {
  const clientsOf = (plugin: AdmissionPluginName): AdmissionWebhookClients =>
    new AdmissionWebhookClients({
      services,
      dial: egress.controlplane,
      certificate: proxyClientCertificate,
      clientConfigFile: clientConfigFileOf(admissionConfigurations.get(plugin)),
    });
  return {
    admit: clientsOf("MutatingAdmissionWebhook"),
    validating: clientsOf("ValidatingAdmissionWebhook"),
  };
}

function registriesOf(handles: readonly ResourceHandle[]) {
  return handles.flatMap(({ registry }) => registry ?? []);
}

function runtimeConfigOf(options: Options, definitions: ReturnType<typeof builtinResources>): RuntimeConfig {
  const known = new Map<string, { group: string; version: string; resources: string[] }>();
  for (const { group, resource, versions } of definitions) {
    for (const { version } of versions) {
      const key = `${group}/${version}`;
      const entry = known.get(key) ?? { group, version, resources: [] };
      entry.resources.push(resource);
      known.set(key, entry);
    }
  }
  const result = createRuntimeConfig(options.runtimeConfig, [...known.values()]);
  if (result.kind === "error") throw new Error(result.message);
  return result.config;
}

/** Options may name any resource, as in Kubernetes; a misspelled one has no effect. */
function warnOfUnknownResources(
  { storeServersOverrides, watchCacheSizes }: Options,
  definitions: ReturnType<typeof builtinResources>,
  log: ApiServerParts["log"],
): void {
  for (const [option, named] of [
    ["--store-servers-overrides", storeServersOverrides],
    ["--watch-cache-sizes", watchCacheSizes],
  ] as const) {
    for (const { group, resource } of named) {
      if (definitions.some((known) => known.group === group && known.resource === resource)) continue;
      log.warn("an option names no resource of this server", { option, group, resource });
    }
  }
}
