import type { ControllerContext } from "../../controllers/controller.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import { isStoreRead } from "../../endpoints/dispatch.js";
import type { Informers } from "../../informers/informers.js";
import type { RequestContext } from "../../serving/request/request-context.js";

/**
 * Which requests a reader answers itself: gets, lists and watches of objects as they are stored. Versions that an extension server may
 * answer, and everything else, are left to the main thread.
 */
export function readsHere(
  catalog: LiveCatalog,
  { builtin }: ControllerContext,
  informers: Informers,
): (context: RequestContext) => boolean {
  const apiServices = informers.add({
    source: () => builtin("apiservices.apiregistration"),
    view: (stored): string => {
      const { spec } = stored.decode();
      return spec?.service === undefined ? "" : `${spec.version}.${spec.group}`;
    },
    immediate: true,
    indexes: { delegated: (version) => (version === "" ? [] : [version]) },
  });
  return ({ exchange, info, pathError }) => {
    if (exchange.method !== "GET" || exchange.isUpgrade || pathError !== undefined) return false;
    if (!info.isResourceRequest || !isStoreRead(catalog, info)) return false;
    if (info.apiGroup === "") return true;
    for (const _ of apiServices.find("delegated", `${info.apiVersion}.${info.apiGroup}`)) return false;
    return true;
  };
}
