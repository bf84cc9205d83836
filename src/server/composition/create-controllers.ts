import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { ClusterAuthenticationInfo } from "../../controllers/cluster-authentication-info.js";
import type { Controller } from "../../controllers/controller.js";
import { IdentityLeaseController } from "../../controllers/identity-lease.js";
import { CoordinatedLeaderElection } from "../../controllers/leader-election/coordinated-leader-election.js";
import { PolicyTypeChecking } from "../../controllers/policy-type-checking.js";
import { SecretTokenTrackingMap } from "../../controllers/secret-token-tracking.js";
import { SystemNamespaces } from "../../controllers/system-namespaces.js";
import { secretTokenNames } from "../authentication/secret-token-names.js";
import { tracksSecretTokens } from "../authentication/secret-token-tracking.js";
import { systemNamespaces } from "../bootstrap/bootstrap.js";
import { isControllerSelected } from "../options/groups/local.js";
import type { ServerIdentity } from "../settings/server-identity.js";
import { type SelectableControllersParts, selectableControllers } from "./selectable-controllers.js";
import type { ServerAccess } from "./server-access.js";
import type { StorageVersions } from "./storage-versions.js";

export interface ControllersParts extends SelectableControllersParts {
  readonly access: Pick<ServerAccess, "authentication">;
  readonly identity: ServerIdentity;
}

/** The controllers that `--controllers` enables, and those that no option switches. */
export function createControllers(parts: ControllersParts): readonly Controller[] {
  const { options, naming, context, storageVersions, gates } = parts;
  return [
    ...selectableControllers(parts)
      .filter(({ name }) => isControllerSelected(name, options.controllers))
      .map(({ make }) => make()),
    new SystemNamespaces(context, systemNamespaces(naming)),
    authenticationInfo(parts),
    ...policyTypeChecking(parts),
    ...leaderElection(parts),
    ...(tracksSecretTokens(gates) ? [new SecretTokenTrackingMap(context, secretTokenNames(naming).map)] : []),
    ...(gates.isEnabled("APIServerIdentity")
      ? [withStorageVersions(identityLease(parts), storageVersions)]
      : []),
  ];
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

/** Extension servers need it, even if no controllers are enabled. */
function authenticationInfo({ naming, context, access }: ControllersParts): Controller {
  const { authentication } = access;
  return new ClusterAuthenticationInfo(context, {
    namespace: naming.systemNamespace,
    info: () => authentication.info(),
    onChange: (listener) => authentication.onAuthoritiesChange(listener),
  });
}

/** Starts the updater after the lease, because the garbage collector of storage versions removes servers without one. */
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
