import { podReferences } from "../../access/authorization/node/pod-references.js";
import { followDevices } from "../../admission/plugins/quota-devices.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { specialIpProblems } from "../../apis/checks/non-special-ip.js";
import { QuotaEvaluators } from "../../apis/core/resource-quota/evaluators.js";
import { AccountTokenSecrets } from "../../controllers/account-token-secrets.js";
import { ApiServiceController } from "../../controllers/api-service.js";
import { ApiServiceEndpoints } from "../../controllers/api-service-endpoints.js";
import { createServerAddresses } from "../../controllers/api-service-leases.js";
import {
  countReconciler,
  type EndpointReconciler,
  leaseReconciler,
  noReconciler,
} from "../../controllers/api-service-reconcilers.js";
import { ClusterAuthenticationInfo } from "../../controllers/cluster-authentication-info.js";
import { ClusterRoleAggregation } from "../../controllers/cluster-role-aggregation.js";
import type { Controller, ControllerContext } from "../../controllers/controller.js";
import { defaultServiceAccount, rootCaConfigMap } from "../../controllers/default-objects.js";
import { GarbageCollector } from "../../controllers/garbage-collector/garbage-collector.js";
import { IdentityLeaseController } from "../../controllers/identity-lease.js";
import {
  attributesClassProtection,
  claimProtection,
  InUseProtectionController,
  podGroupProtection,
  volumeProtection,
} from "../../controllers/in-use-protection.js";
import { CoordinatedLeaderElection } from "../../controllers/leader-election/coordinated-leader-election.js";
import { NamespaceController } from "../../controllers/namespace-controller.js";
import { NamespaceDefaultController } from "../../controllers/namespace-defaults.js";
import { PolicyTypeChecking } from "../../controllers/policy-type-checking.js";
import { ResourceQuotaController } from "../../controllers/resource-quota/resource-quota-controller.js";
import { SecretTokenCleaner } from "../../controllers/secret-token-cleaner.js";
import { SecretTokenTrackingMap, type TrackingMap } from "../../controllers/secret-token-tracking.js";
import { ServiceCidrController } from "../../controllers/service-cidrs.js";
import { StorageMigrator } from "../../controllers/storage-migration/storage-migrator.js";
import { SystemNamespaces } from "../../controllers/system-namespaces.js";
import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import { createResourceCodec } from "../../registry/generic/resource-codec.js";
import type { Authentication } from "../authentication/authentication.js";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.js";
import { systemNamespaces } from "../bootstrap/bootstrap.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { isControllerSelected } from "../options/groups/local.js";
import type { Options } from "../options/options.js";
import { advertisedAddress, defaultServiceRange, firstAddress } from "../settings/cluster-addresses.js";
import type { Stores } from "../stores/open-store.js";
import { addressManager } from "./address-objects.js";
import { clusterData } from "./admission.js";
import type { ServerIdentity } from "./server-identity.js";
import type { StorageVersions } from "./storage-versions.js";

export interface ControllersParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly context: ControllerContext;
  readonly informers: Informers;
  /** PEM of the authority with which clients verify the server. */
  readonly caPem: string;
  /** Known when the controllers start. */
  readonly port: () => number;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly authentication: Authentication;
  readonly stores: Stores;
  readonly gates: FeatureGates;
  /** Unique name of this server, and of its lease. */
  readonly identity: ServerIdentity;
  /** Undefined when storage versions are not registered. */
  readonly storageVersions: StorageVersions | undefined;
}

/** The controllers that `--controllers` enables. */
export function createControllers(parts: ControllersParts): readonly Controller[] {
  const { options, naming, context, informers, caPem, port, storageVersions, gates } = parts;
  const makers: Readonly<Record<string, () => Controller>> = {
    ...(options.enableGarbageCollector && { garbagecollector: () => new GarbageCollector(context) }),
    "clusterrole-aggregation": () => new ClusterRoleAggregation(context),
    namespace: () =>
      new NamespaceController(context, {
        finalizer: naming.vendor,
        prefix: naming.prefix,
        podsFirst: gates.isEnabled("OrderedNamespaceDeletion"),
      }),
    "apiserver-service": () =>
      new ApiServiceController(context, {
        name: naming.apiServiceName,
        clusterIp: firstAddress(options.serviceClusterIpRange[0] ?? defaultServiceRange),
        port,
        nodePort: options.orchServiceNodePort,
        endpoints: endpointReconciler(parts),
      }),
    ...(isAtLeast(options.apiLevel, "1.29") &&
      parts.gates.isEnabled("MultiCIDRServiceAllocator") && {
        "service-cidrs": () =>
          new ServiceCidrController(context, {
            finalizer: `${naming.group("networking")}/service-cidr-finalizer`,
            vendor: naming.vendorTitle,
            managedBy: addressManager(naming),
          }),
      }),
    serviceaccount: () => new NamespaceDefaultController(context, defaultServiceAccount),
    "serviceaccount-token": () => {
      const { issuer, signsForSecrets } = parts.serviceAccountTokens;
      return new AccountTokenSecrets(context, {
        secretType: `${naming.domain}/service-account-token`,
        nameAnnotation: `${naming.domain}/service-account.name`,
        uidAnnotation: `${naming.domain}/service-account.uid`,
        caPem,
        sign: signsForSecrets ? issuer?.signForSecret : undefined,
      });
    },
    ...(isAtLeast(options.apiLevel, "1.28") &&
      gates.isEnabled("LegacyServiceAccountTokenCleanUp") && {
        "legacy-serviceaccount-token-cleaner": () =>
          new SecretTokenCleaner(context, {
            secretType: `${naming.domain}/service-account-token`,
            nameAnnotation: `${naming.domain}/service-account.name`,
            uidAnnotation: `${naming.domain}/service-account.uid`,
            lastUsedLabel: `${naming.domain}/legacy-token-last-used`,
            invalidSinceLabel: `${naming.domain}/legacy-token-invalid-since`,
            map: trackingMap(naming),
            secretsOf: (pod) => podReferences(pod, `${naming.domain}/config.mirror`).secrets,
          }),
      }),
    "root-ca-cert-publisher": () =>
      new NamespaceDefaultController(
        context,
        rootCaConfigMap({
          name: naming.rootCaConfigMapName,
          caPem,
          descriptionAnnotation: `${naming.domain}/description`,
        }),
      ),
    resourcequota: () =>
      new ResourceQuotaController(
        context,
        new QuotaEvaluators(
          {
            naming,
            level: options.apiLevel,
            isEnabled: gates.isEnabled,
          },
          () => followDevices(clusterData({ context, informers }), naming),
        ),
      ),
    "pvc-protection": () => new InUseProtectionController(context, claimProtection(naming.domain)),
    ...(storageVersions && { "storage-version-gc": () => storageVersions.collector }),
    ...(isAtLeast(options.apiLevel, "1.30") &&
      gates.isEnabled("StorageVersionMigrator") && {
        "storage-version-migrator": () => new StorageMigrator(context, options.apiLevel),
      }),
    "pv-protection": () => new InUseProtectionController(context, volumeProtection(naming.domain)),
    ...(isAtLeast(options.apiLevel, "1.29") &&
      parts.gates.isEnabled("VolumeAttributesClass") && {
        "vac-protection": () =>
          new InUseProtectionController(context, attributesClassProtection(naming.domain)),
      }),
    ...(isAtLeast(options.apiLevel, "1.36") &&
      parts.gates.isEnabled("GenericWorkload") && {
        "podgroup-protection": () =>
          new InUseProtectionController(context, podGroupProtection(naming.group("scheduling"))),
      }),
  };
  const selected = controllerNamesOf(makers)
    .filter((name) => isControllerSelected(name, options.controllers))
    .map((name) => makers[name]?.())
    .filter((controller) => controller !== undefined);
  const always = [
    new SystemNamespaces(context, systemNamespaces(naming)),
    authenticationInfo(parts),
    ...policyTypeChecking(parts),
    ...leaderElection(parts),
    ...(isAtLeast(options.apiLevel, "1.26") && gates.isEnabled("LegacyServiceAccountTokenTracking")
      ? [new SecretTokenTrackingMap(context, trackingMap(naming))]
      : []),
  ];
  return parts.gates.isEnabled("APIServerIdentity")
    ? [...selected, ...always, withStorageVersions(identityLease(parts), storageVersions)]
    : [...selected, ...always];
}

function trackingMap({ systemNamespace, commandName }: Naming): TrackingMap {
  return { namespace: systemNamespace, name: `${commandName}-legacy-service-account-token-tracking` };
}

/** At levels that have policies. */
function policyTypeChecking({ options, context, gates }: ControllersParts): readonly Controller[] {
  if (!isAtLeast(options.apiLevel, "1.27") || !gates.isEnabled("ValidatingAdmissionPolicy")) return [];
  return [new PolicyTypeChecking(context, { level: options.apiLevel, isEnabled: gates.isEnabled })];
}

function leaderElection({
  options,
  naming,
  context,
  gates,
  identity,
}: ControllersParts): readonly Controller[] {
  if (!gates.isEnabled("CoordinatedLeaderElection")) return [];
  return [
    new CoordinatedLeaderElection(context, {
      namespace: naming.systemNamespace,
      identity: identity.holder,
      leaseDurationMs: options.coordinatedLeadershipLeaseDurationMs,
      renewDeadlineMs: options.coordinatedLeadershipRenewDeadlineMs,
      retryPeriodMs: options.coordinatedLeadershipRetryPeriodMs,
    }),
  ];
}

/** Extension servers need it, whichever controllers are enabled. */
function authenticationInfo({ naming, context, authentication }: ControllersParts): Controller {
  return new ClusterAuthenticationInfo(context, {
    namespace: naming.systemNamespace,
    info: () => authentication.info(),
    onChange: (listener) => authentication.onAuthoritiesChange(listener),
  });
}

/** How servers agree on the endpoints of their service. */
function endpointReconciler({
  options,
  naming,
  context,
  stores,
  port,
}: ControllersParts): EndpointReconciler {
  const { log } = context;
  const address = advertisedAddress(options.advertiseAddress, options.bindAddress);
  // A loopback address is of no use to others.
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
  const ports = () => [{ name: "https", port: port(), protocol: "TCP" }];
  if (options.endpointReconcilerType === "master-count") {
    return countReconciler({ endpoints, address, ports }, options.apiserverCount);
  }
  const codec = createResourceCodec(context.builtin("endpoints").definition, options.storageMediaType);
  return leaseReconciler(
    { endpoints, address, ports },
    createServerAddresses(stores.openPlain("/masterleases", codec)),
  );
}

/** Starts the updater after the lease: the collector removes servers without one. */
function withStorageVersions(lease: Controller, storageVersions: StorageVersions | undefined): Controller {
  if (storageVersions === undefined) return lease;
  const { updater } = storageVersions;
  return {
    async start() {
      await lease.start();
      await updater.start();
    },
    async stop() {
      await updater.stop();
      await lease.stop();
    },
  };
}

function identityLease({ options, naming, context, identity }: ControllersParts): Controller {
  return new IdentityLeaseController(context, {
    identity,
    namespace: naming.systemNamespace,
    durationSeconds: options.identityLeaseDurationSeconds,
    renewIntervalMs: options.identityLeaseRenewIntervalSeconds * 1000,
  });
}

function controllerNamesOf(makers: Readonly<Record<string, unknown>>) {
  return Object.keys(makers) as Parameters<typeof isControllerSelected>[0][]; // the keys above are its names
}
