import type { ApiRequest } from "../../request/api-request.js";
import type { ConnectResult } from "./connect-result.js";

/** Finds out where a request goes, and whether it is allowed. */
export type ConnectHandler = (request: ApiRequest) => Promise<ConnectResult>;
