import type { UserInfo } from "../../apimachinery/request-info.js";
import { unauthorized } from "../../apimachinery/status.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";

/** Finds out who asks; undefined when nobody could be made out. Throws 401 for credentials that are wrong. */
export type Authenticate = (request: RequestContext) => Promise<UserInfo | undefined> | UserInfo | undefined;

export function authenticate(authenticator: Authenticate): Filter {
  return async (context, next) => {
    const user = await authenticator(context);
    if (user === undefined) throw unauthorized();
    context.user = user;
    return next();
  };
}
