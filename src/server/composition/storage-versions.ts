import type { Controller, ControllerContext } from "../../controllers/controller.js";
import { StorageVersionCollector } from "../../controllers/storage-versions/storage-version-collector.js";
import { StorageVersionUpdater } from "../../controllers/storage-versions/storage-version-updater.js";
import type { Naming } from "../../naming/naming.js";
import type { StorageVersionWait } from "../../serving/filters/await-storage-version.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { ServerIdentity } from "../settings/server-identity.js";
import { usesStorageVersions } from "../settings/uses-storage-versions.js";

export interface StorageVersions {
  readonly updater: Controller;
  /** Selected by `--controllers`. */
  readonly collector: Controller;
  readonly wait: StorageVersionWait;
}

export interface StorageVersionsParts {
  readonly context: ControllerContext;
  readonly naming: Naming;
  readonly identity: ServerIdentity;
  readonly gates: FeatureGates;
}

/**
 * Undefined when storage versions are not registered. Call it before custom resources are served: as in kube-apiserver 1.23, only built-in
 * resources are registered.
 */
export function createStorageVersions({
  context,
  naming,
  identity,
  gates,
}: StorageVersionsParts): StorageVersions | undefined {
  if (!usesStorageVersions(gates)) return undefined;
  const definitions = [...context.registries()]
    .map(({ definition }) => definition)
    .filter(({ storage }) => storage !== undefined);
  const updater = new StorageVersionUpdater(context, { identity: identity.name, definitions });
  return {
    updater,
    collector: new StorageVersionCollector(context, {
      namespace: naming.systemNamespace,
      label: identity.label,
    }),
    wait: {
      group: naming.group("internal.apiserver"),
      leaseGroup: naming.group("coordination"),
      systemNamespace: naming.systemNamespace,
      pending: (inGroup, resource) => updater.pending(inGroup, resource),
    },
  };
}
