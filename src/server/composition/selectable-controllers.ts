import { podReferences } from "../../access/authorization/node/pod-references.js";
import { followDevices } from "../../admission/plugins/quota-devices.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { BuiltinResource } from "../../apis/builtin-objects.js";
import { QuotaEvaluators } from "../../apis/core/resource-quota/evaluators.js";
import { AccountTokenSecrets } from "../../controllers/account-token-secrets.js";
import { ApiServiceController } from "../../controllers/api-service.js";
import { ClusterRoleAggregation } from "../../controllers/cluster-role-aggregation.js";
import type { Controller } from "../../controllers/controller.js";
import { defaultServiceAccount, rootCaConfigMap } from "../../controllers/default-objects.js";
import { GarbageCollector } from "../../controllers/garbage-collector/garbage-collector.js";
import {
  attributesClassProtection,
  claimProtection,
  InUseProtectionController,
  type ProtectedResource,
  podGroupProtection,
  volumeProtection,
} from "../../controllers/in-use-protection.js";
import { NamespaceController } from "../../controllers/namespace-controller.js";
import { NamespaceDefaultController } from "../../controllers/namespace-defaults.js";
import { ResourceQuotaController } from "../../controllers/resource-quota/resource-quota-controller.js";
import { SecretTokenCleaner } from "../../controllers/secret-token-cleaner.js";
import { ServiceCidrController } from "../../controllers/service-cidrs.js";
import { StorageMigrator } from "../../controllers/storage-migration/storage-migrator.js";
import type { Informers } from "../../informers/informers.js";
import { secretTokenNames } from "../authentication/secret-token-names.js";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.js";
import { addressManager } from "../endpoints/address-objects.js";
import { clusterData } from "../endpoints/admission.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { ControllerName } from "../options/groups/local.js";
import type { ServerPki } from "../pki/server-pki.js";
import { defaultServiceRange, firstAddress } from "../settings/cluster-addresses.js";
import { type EndpointReconcilerParts, endpointReconciler } from "./endpoint-reconciler.js";
import type { StorageVersions } from "./storage-versions.js";

export interface SelectableControllersParts extends EndpointReconcilerParts {
  readonly informers: Informers;
  readonly pki: Pick<ServerPki, "caPem">;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly gates: FeatureGates;
  /** Undefined when storage versions are not registered. */
  readonly storageVersions: StorageVersions | undefined;
}

/** A controller that `--controllers` may leave out. */
export interface SelectableController {
  readonly name: ControllerName;
  /** Whether this server has it at all: an option, the level or a feature gate may exclude it. Default true. */
  readonly isThere?: boolean;
  readonly make: () => Controller;
}

/** In the order in which they are created. */
export function selectableControllers(parts: SelectableControllersParts): readonly SelectableController[] {
  const { options, naming, context, gates, storageVersions } = parts;
  const has = (since: ApiLevel, gate: FeatureGateName): boolean =>
    isAtLeast(gates.level, since) && gates.isEnabled(gate);
  const protection =
    <R extends BuiltinResource>(protectedResource: ProtectedResource<R>) =>
    () =>
      new InUseProtectionController(context, protectedResource);
  const controllers: readonly SelectableController[] = [
    {
      name: "garbagecollector",
      isThere: options.enableGarbageCollector,
      make: () => new GarbageCollector(context),
    },
    { name: "clusterrole-aggregation", make: () => new ClusterRoleAggregation(context) },
    { name: "namespace", make: () => namespaceController(parts) },
    { name: "apiserver-service", make: () => apiService(parts) },
    {
      name: "service-cidrs",
      isThere: has("1.29", "MultiCIDRServiceAllocator"),
      make: () => serviceCidrs(parts),
    },
    { name: "serviceaccount", make: () => new NamespaceDefaultController(context, defaultServiceAccount) },
    { name: "serviceaccount-token", make: () => accountTokenSecrets(parts) },
    {
      name: "legacy-serviceaccount-token-cleaner",
      isThere: has("1.28", "LegacyServiceAccountTokenCleanUp"),
      make: () => secretTokenCleaner(parts),
    },
    { name: "root-ca-cert-publisher", make: () => rootCaPublisher(parts) },
    { name: "resourcequota", make: () => resourceQuota(parts) },
    { name: "pvc-protection", make: protection(claimProtection(naming.domain)) },
    ...(storageVersions === undefined
      ? []
      : [{ name: "storage-version-gc", make: () => storageVersions.collector } as const]),
    {
      name: "storage-version-migrator",
      isThere: has("1.30", "StorageVersionMigrator"),
      make: () => new StorageMigrator(context, options.apiLevel),
    },
    { name: "pv-protection", make: protection(volumeProtection(naming.domain)) },
    {
      name: "vac-protection",
      isThere: has("1.29", "VolumeAttributesClass"),
      make: protection(attributesClassProtection(naming.domain)),
    },
    {
      name: "podgroup-protection",
      isThere: has("1.36", "GenericWorkload"),
      make: protection(podGroupProtection(naming.group("scheduling"))),
    },
  ];
  return controllers.filter(({ isThere = true }) => isThere);
}

function namespaceController({ naming, context, gates }: SelectableControllersParts): Controller {
  return new NamespaceController(context, {
    finalizer: naming.vendor,
    prefix: naming.prefix,
    podsFirst: gates.isEnabled("OrderedNamespaceDeletion"),
  });
}

function apiService(parts: SelectableControllersParts): Controller {
  const { options, naming, context, lifecycle } = parts;
  return new ApiServiceController(context, {
    name: naming.apiServiceName,
    clusterIp: firstAddress(options.serviceClusterIpRange[0] ?? defaultServiceRange),
    port: () => lifecycle.port,
    nodePort: options.orchServiceNodePort,
    endpoints: endpointReconciler(parts),
  });
}

function serviceCidrs({ naming, context }: SelectableControllersParts): Controller {
  return new ServiceCidrController(context, {
    finalizer: `${naming.group("networking")}/service-cidr-finalizer`,
    vendor: naming.vendorTitle,
    managedBy: addressManager(naming),
  });
}

function accountTokenSecrets(parts: SelectableControllersParts): Controller {
  const { naming, context, pki, serviceAccountTokens } = parts;
  const { secretType, nameAnnotation, uidAnnotation } = secretTokenNames(naming);
  const { issuer, signsForSecrets } = serviceAccountTokens;
  return new AccountTokenSecrets(context, {
    secretType,
    nameAnnotation,
    uidAnnotation,
    caPem: pki.caPem,
    sign: signsForSecrets ? issuer?.signForSecret : undefined,
  });
}

function secretTokenCleaner({ naming, context }: SelectableControllersParts): Controller {
  return new SecretTokenCleaner(context, {
    ...secretTokenNames(naming),
    secretsOf: (pod) => podReferences(pod, `${naming.domain}/config.mirror`).secrets,
  });
}

function rootCaPublisher({ naming, context, pki }: SelectableControllersParts): Controller {
  return new NamespaceDefaultController(
    context,
    rootCaConfigMap({
      name: naming.rootCaConfigMapName,
      caPem: pki.caPem,
      descriptionAnnotation: `${naming.domain}/description`,
    }),
  );
}

function resourceQuota({
  options,
  naming,
  context,
  informers,
  gates,
}: SelectableControllersParts): Controller {
  const settings = { naming, level: options.apiLevel, isEnabled: gates.isEnabled };
  const devices = () => followDevices(clusterData({ context, informers }), naming);
  return new ResourceQuotaController(context, new QuotaEvaluators(settings, devices));
}
