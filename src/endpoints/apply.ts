import type { ApiObject } from "../apimachinery/meta.js";
import { unsupportedMediaType } from "../apimachinery/status.js";
import type { Strategy } from "../apis/definition/strategy.js";
import type { ApiRequest } from "./api-request.js";
import type { ObjectResult } from "./api-result.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";
import type { WriteOptions } from "./write-options.js";

/** Server-side apply. */
export async function applyConfiguration<T extends ApiObject>(
  _endpoint: ResourceEndpoint<T>,
  _request: ApiRequest,
  _options: WriteOptions,
  _part: Strategy<T> | undefined,
): Promise<ObjectResult<T>> {
  throw unsupportedMediaType([
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
  ]);
}
