import type { ApiRequest } from "../api-request.js";
import type { ConnectResult } from "./connect-result.js";

/** Finds out where a request has to go, and whether it may. */
export type ConnectHandler = (request: ApiRequest) => Promise<ConnectResult>;
