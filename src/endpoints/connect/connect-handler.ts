import type { ApiRequest } from "../../request/api-request.js";
import type { ConnectResult } from "./connect-result.js";

/** Decides where to forward a request, and whether that is allowed. */
export type ConnectHandler = (request: ApiRequest) => Promise<ConnectResult>;
