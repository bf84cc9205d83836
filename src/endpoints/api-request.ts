import type { UserInfo } from "../apimachinery/request-info.js";
import type { RequestScope } from "../request/request-scope.js";
import type { Writer } from "../request/write-scope.js";

/** What the endpoints see of a request, which is past access control. */
export type ApiRequest = Writer &
  Pick<RequestScope, "info" | "query" | "userAgent" | "body" | "audit"> & {
    /** The user in effect. */
    readonly user: UserInfo;
  };
