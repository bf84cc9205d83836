import type { UserInfo } from "../apimachinery/requests/request-info.js";
import type { RequestScope } from "./request-scope.js";
import type { Writer } from "./write-scope.js";

/** A request that has passed access control, as endpoints see it. */
export type ApiRequest = Writer &
  Pick<RequestScope, "info" | "query" | "olderState" | "requestUri" | "userAgent" | "body" | "audit"> & {
    /** The user in effect. */
    readonly user: UserInfo;
  };
