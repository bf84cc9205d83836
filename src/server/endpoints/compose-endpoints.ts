import type { TokenAuthenticator } from "../../access/authentication/token-union.js";
import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
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
import type { EndpointSettings } from "../../endpoints/resource/resource-endpoint.js";
import { Informers } from "../../informers/informers.js";
import type { ServiceAllocation } from "../../registry/core/service/service-allocation.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { EscalationParts } from "../../registry/rbac/escalation-hooks.js";
import { directDial } from "../../remote/direct-dial.js";
import {
  loadServiceAccountTokens,
  type ServiceAccountTokens,
} from "../authentication/service-account-tokens.js";
import { loadNodeAgentTls } from "../connections/node-agents.js";
import {
  loadProxyClientCertificate,
  type ProxyClientCertificate,
} from "../connections/proxy-client-certificate.js";
import { ServiceDialer } from "../connections/service-dialer.js";
import type { WebhookDials } from "../connections/webhook-server.js";
import type { Foundation } from "../foundation/foundation.js";
import { forOption, readFileOfOption } from "../options/option-failure.js";
import { builtinKinds } from "./builtin-kinds.js";
import { builtinOffers } from "./builtin-source.js";
import { composeAdmission } from "./compose-admission.js";
import { controllerContext } from "./controller-context.js";
import { serveCustomResources } from "./custom-resources.js";
import { endpointSettings } from "./endpoint-settings.js";
import { type KindPartsInputs, kindParts } from "./kind-parts.js";
import { systemRandom } from "./random.js";
import { serviceAllocation } from "./service-allocation.js";
import { createYamlConverter } from "./yaml.js";

/** Decides about authorization and tokens for the endpoints. */
export interface EndpointAccess {
  readonly authenticateToken: TokenAuthenticator;
  readonly authorizer: Authorizer;
  readonly escalation: EscalationParts | undefined;
}

/** Inputs of authorization. Available once the catalog and its informers are. */
export interface AccessInputs {
  readonly builtin: BuiltinRegistries;
  readonly informers: Informers;
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Whether the server has the resource. Ask it only after the built-in kinds are published. */
  serves(resource: BuiltinResource): boolean;
}

export interface EndpointComposition<Access extends EndpointAccess> {
  access(inputs: AccessInputs): Promise<Access>;
  /** Where the agent of a simulated node answers. */
  readonly simulatedAgent?: NodeAgentSettings["simulated"];
}

/** What the resources of the catalog share. */
interface SharedByResources {
  readonly schemas: SchemaRegistry;
  readonly yaml: YamlConverter;
  /** Its `source` offers resources other than the built-in kinds. */
  readonly catalog: LiveCatalog;
  readonly context: ControllerContext;
  /** To keep objects of a kind in memory, `add` an informer. */
  readonly informers: Informers;
}

/** Everything between the filters and the store. Nothing of it is started. */
export interface ComposedEndpoints<Access> extends SharedByResources {
  readonly access: Access;
  /** Built-in kinds that only other levels have. */
  readonly unservedKinds: readonly ResourceDefinition[];
  readonly services: ServiceAllocation;
  readonly backends: ServiceBackends;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly proxyClientCertificate: ProxyClientCertificate;
  /** Establishes custom resource definitions, which are served without it. */
  readonly customResources: Controller;
}

/** Depends on the catalog, which needs it when its first resource is published. */
interface DeferredParts {
  admission?: AdmissionChain;
  authorizer?: Authorizer;
}

/** Makes the catalog with its resources, and the admission that they share. A server has it once, and so has each lane. */
export async function composeEndpoints<Access extends EndpointAccess>(
  foundation: Foundation,
  composition: EndpointComposition<Access>,
): Promise<ComposedEndpoints<Access>> {
  const later: DeferredParts = {};
  const { settings, ...shared } = openCatalog(foundation, later);
  const parts = { ...foundation, ...shared };
  const services = serviceAllocation(parts);
  const serviceAccountTokens = await loadServiceAccountTokens(parts);
  const access = await composition.access(accessInputs(parts, serviceAccountTokens));
  later.authorizer = access.authorizer;

  const calls = await outgoingCalls(parts);
  const { admission, manifests } = await composeAdmission({
    ...parts,
    ...calls,
    authorizer: access.authorizer,
  });
  later.admission = admission;

  const unservedKinds = await publishBuiltinKinds({
    ...parts,
    settings,
    admission,
    access,
    services,
    serviceAccountTokens,
    simulatedAgent: composition.simulatedAgent,
  });
  await forOption("admission-control-config-file", parts.naming, () => manifests.start(parts.closing));
  return {
    ...shared,
    access,
    unservedKinds,
    services,
    serviceAccountTokens,
    backends: calls.backends,
    proxyClientCertificate: calls.proxyClientCertificate,
    customResources: serveCustomResources({ ...parts, webhookDials: calls.webhookDials }),
  };
}

/** The catalog, without resources. */
function openCatalog(
  foundation: Foundation,
  later: DeferredParts,
): SharedByResources & { readonly settings: EndpointSettings } {
  const { options, naming, gates, stores } = foundation;
  const schemas = builtinTypes(naming, options.apiLevel);
  const yaml = createYamlConverter();
  const catalog = new LiveCatalog({
    openStore: (definition, codec) => stores.openObjects(definition, codec),
    storageMediaType: options.storageMediaType,
    random: systemRandom,
    garbageCollection: options.enableGarbageCollector,
    retriesGeneratedNames: gates.isEnabled("RetryGenerateName"),
    endpoints: () => ({ admission: made(later.admission), settings }),
  });
  const settings = endpointSettings({
    ...foundation,
    schemas,
    yaml,
    isKnownType: (type) => catalog.isKnownType(type),
    authorizer: () => made(later.authorizer),
  });
  const context = controllerContext({ ...foundation, catalog });
  return { schemas, yaml, catalog, context, informers: new Informers(), settings };
}

function made<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("a resource was published before the endpoints were composed");
  return part;
}

function accessInputs(
  { naming, catalog, context, informers }: Foundation & SharedByResources,
  serviceAccountTokens: ServiceAccountTokens,
): AccessInputs {
  return {
    builtin: context.builtin,
    informers,
    serviceAccountTokens,
    serves(name) {
      const { group, resource } = builtinResourceName(name, (stem) => naming.group(stem));
      return catalog.handle(group, resource) !== undefined;
    },
  };
}

interface OutgoingCalls {
  readonly proxyClientCertificate: ProxyClientCertificate;
  readonly backends: ServiceBackends;
  readonly webhookDials: WebhookDials;
}

/** How webhooks of admission and conversion, and extension servers, are called. */
async function outgoingCalls({
  options,
  naming,
  pki,
  egress,
  context,
}: Foundation & SharedByResources): Promise<OutgoingCalls> {
  const backends = serviceBackends({
    level: options.apiLevel,
    builtin: context.builtin,
    serviceNameLabel: `${naming.domain}/service-name`,
  });
  const services = new ServiceDialer({
    context,
    backends,
    dial: egress.cluster ?? directDial,
    random: Math.random,
  });
  return {
    proxyClientCertificate: await loadProxyClientCertificate(pki, naming),
    backends,
    webhookDials: { services, url: egress.controlplane, userAgent: `${naming.prefix}-apiserver-admission` },
  };
}

/** Returns the kinds that only other levels have. */
async function publishBuiltinKinds(
  parts: Omit<KindPartsInputs, "nodeAgentTls">,
): Promise<readonly ResourceDefinition[]> {
  const { options, naming, gates, schemas, catalog, services } = parts;
  // The file must be readable, although its content has no effect here.
  await readFileOfOption("cloud-config", options.cloudConfig, naming);
  const { definitions, unserved, runtimeConfig } = builtinKinds(parts, gates, schemas, services.families);
  const nodeAgentTls = await loadNodeAgentTls(options, naming);
  catalog.source("the built-in kinds").publish({
    offered: builtinOffers({
      naming,
      level: options.apiLevel,
      gates,
      definitions,
      runtimeConfig,
      kindParts: kindParts({ ...parts, nodeAgentTls }),
    }),
  });
  return unserved;
}
