import type { ApiRequest } from "../../request/api-request.js";
import type { ApiResult } from "./api-result.js";

/** An operation that is not a plain read or write of a stored object: a review, a binding, an eviction. */
export type OperationHandler = (request: ApiRequest) => Promise<ApiResult>;
