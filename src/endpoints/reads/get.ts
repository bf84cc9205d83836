import { type MaybePromise, whenDone } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { ObjectResult } from "../resource/api-result.js";
import { refuseExport } from "../resource/query-options.js";
import { checkRequestedName } from "../resource/requested-name.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { versionToGet } from "./read-version.js";

/** GET of one object, or of a part of it such as `status`. Throws 400 for parameters that do not fit. */
export function getObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
): MaybePromise<ObjectResult<T>> {
  const { namespace, name } = request.info;
  refuseExport(request.query);
  const at = versionToGet(request);
  checkRequestedName(name);
  request.step("About to Get from storage");
  return whenDone(endpoint.registry.get(namespace, name, at), (stored) => ({
    kind: "object",
    code: 200,
    view: endpoint.view,
    stored,
  }));
}
