import type { ResourceDefinition, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { Controller, ControllerContext } from "../../controllers/controller.js";
import { StorageVersionCollector } from "../../controllers/storage-versions/storage-version-collector.js";
import {
  type RegisteredResource,
  StorageVersionUpdater,
} from "../../controllers/storage-versions/storage-version-updater.js";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
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
  readonly catalog: ApiCatalog;
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
  catalog,
}: StorageVersionsParts): StorageVersions | undefined {
  if (!usesStorageVersions(gates)) return undefined;
  const resources = registeredResources(context, catalog);
  const updater = new StorageVersionUpdater(context, { identity: identity.name, resources });
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

/** One for each storage prefix whose objects are served. */
function registeredResources(
  context: Pick<ControllerContext, "registries">,
  catalog: ApiCatalog,
): readonly RegisteredResource[] {
  const definitions = [...context.registries()].map(({ definition }) => definition);
  const isOwner = ({ group, storage }: ResourceDefinition): boolean =>
    storage !== undefined && (storage.group ?? group) === group;
  const registered = definitions.filter(isOwner).map((definition) => {
    const { group, resource, storage, versions } = definition;
    const isServed = ({ version }: VersionDefinition): boolean =>
      catalog.find(group, version, resource) !== undefined;
    return {
      definition,
      sharedBy: definitions.filter((each) => !isOwner(each) && each.storage?.prefix === storage?.prefix),
      served: versions.filter(isServed).map(({ version }) => version),
    };
  });
  return registered.filter(({ served }) => served.length > 0);
}
