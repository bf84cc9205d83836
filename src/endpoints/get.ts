import type { ApiObject } from "../apimachinery/objects/meta.js";
import type { ApiRequest } from "./api-request.js";
import type { ObjectResult } from "./api-result.js";
import { refuseExport } from "./query-options.js";
import { readVersionOfGet } from "./read-version.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";

/** GET of one object, or of a part of it such as `status`. */
export async function getObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
): Promise<ObjectResult<T>> {
  const { namespace, name } = request.info;
  refuseExport(request.query);
  const at = readVersionOfGet(request.query.get("resourceVersion") ?? "");
  request.step("About to Get from storage");
  const stored = await endpoint.registry.get(namespace, name, at);
  return { kind: "object", code: 200, view: endpoint.view, stored };
}
