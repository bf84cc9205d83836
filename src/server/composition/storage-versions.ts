import type { Controller, ControllerContext } from "../../controllers/controller.js";
import { StorageVersionCollector } from "../../controllers/storage-versions/storage-version-collector.js";
import { StorageVersionUpdater } from "../../controllers/storage-versions/storage-version-updater.js";
import type { Naming } from "../../naming/naming.js";
import type { StorageVersionWait } from "../../serving/filters/await-storage-version.js";

export interface StorageVersions {
  readonly updater: Controller;
  /** Selected by `--controllers`. */
  readonly collector: Controller;
  readonly wait: StorageVersionWait;
}

/** Call it before custom resources are served: as in kube-apiserver 1.23, only built-in resources are registered. */
export function createStorageVersions(
  context: ControllerContext,
  naming: Naming,
  identity: string,
): StorageVersions {
  const definitions = [...context.registries()]
    .map(({ definition }) => definition)
    .filter(({ storage }) => storage !== undefined);
  const updater = new StorageVersionUpdater(context, { identity, definitions });
  return {
    updater,
    collector: new StorageVersionCollector(context, {
      namespace: naming.systemNamespace,
      label: identityLabel(naming),
    }),
    wait: {
      group: naming.group("internal.apiserver"),
      leaseGroup: naming.group("coordination"),
      systemNamespace: naming.systemNamespace,
      pending: (inGroup, resource) => updater.pending(inGroup, resource),
    },
  };
}

/** The label of the leases of API servers. */
export function identityLabel(naming: Naming): { readonly name: string; readonly value: string } {
  return { name: `${naming.groupDomain}/component`, value: naming.commandName };
}
