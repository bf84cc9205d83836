import { isStatus } from "../../../apimachinery/errors/status.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { normalizeClusterIps, patchAllocatedValues } from "../../../apis/core/service/normalize.js";
import type { Service } from "../../../apis/gen/core-v1.js";
import type { RegistryHooks } from "../../generic/write-stages.js";
import type { ServiceAddresses } from "./service-addresses.js";

export interface ServiceHooksParts {
  readonly level: ApiLevel;
  readonly addresses: ServiceAddresses;
  /** Removes the Endpoints of a deleted service. Rejects with 404 when there are none. */
  readonly deleteEndpoints: (namespace: string, name: string) => Promise<void>;
  /** Called with failures after the service was removed. */
  readonly onError: (error: unknown) => void;
}

/** Allocates addresses before a service is validated, and releases them afterwards if necessary. */
export function createServiceHooks({
  level,
  addresses,
  deleteEndpoints,
  onError,
}: ServiceHooksParts): RegistryHooks<Service> {
  return {
    async beforeCreate(context, object) {
      normalizeClusterIps(object, undefined);
      // Validation refuses a service without a name, and an IPAddress object could not refer to it.
      if ((object.metadata.name ?? "") === "") return undefined;
      return await addresses.forNew(object, context.dryRun);
    },
    async beforeUpdate(context, object, old) {
      patchAllocatedValues(object, old, level);
      normalizeClusterIps(object, old);
      return await addresses.forChanged(object, old, context.dryRun);
    },
    async afterDelete(object) {
      const { namespace = "", name = "" } = object.metadata;
      try {
        // A later service of the same name must not inherit these.
        await deleteEndpoints(namespace, name);
      } catch (error) {
        if (!isStatus(error, "NotFound")) onError(error);
      }
      await addresses.release(object);
    },
  };
}
