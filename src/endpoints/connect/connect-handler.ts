import type { ApiRequest } from "../../request/api-request.js";
import type { ConnectResult } from "./connect-result.js";

/** Determines the destination of a request, and whether it is allowed. */
export type ConnectHandler = (request: ApiRequest) => Promise<ConnectResult>;
