import type { RequestInfo, UserInfo } from "../../apimachinery/request-info.js";
import { forbiddenError, type StatusError } from "../../apimachinery/status.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";

export interface Decision {
  readonly allowed: boolean;
  /** Why, for the client. */
  readonly reason: string;
}

export type Authorize = (user: UserInfo, info: RequestInfo) => Promise<Decision> | Decision;

/** Answers 403 unless the authorizers in force allow the request. */
export function authorize(authorizer: Authorize): Filter {
  return (context, next) => {
    const proceed = (decision: Decision): Promise<void> =>
      decision.allowed ? next() : Promise.reject(refuse(context, context.info, decision.reason));
    const decided = authorizer(context.user, context.info);
    return decided instanceof Promise ? decided.then(proceed) : proceed(decided);
  };
}

/** Throws 403 unless the request's user may do something else than the request itself. */
export async function authorizeAs(
  authorizer: Authorize,
  context: RequestContext,
  info: RequestInfo,
): Promise<void> {
  const { allowed, reason } = await authorizer(context.user, info);
  if (!allowed) throw refuse(context, info, reason);
}

function refuse({ exchange, user }: RequestContext, info: RequestInfo, reason: string): StatusError {
  // What the client sent comes back to it: no browser is to take that for a page.
  exchange.addResponseHeader("X-Content-Type-Options", "nosniff");
  return refusal(user, info, reason);
}

function refusal(user: UserInfo, info: RequestInfo, reason: string): StatusError {
  const why = reason === "" ? "" : `: ${reason}`;
  const who = JSON.stringify(user.name);
  if (!info.isResourceRequest) {
    return forbiddenError(
      { group: "", resource: "" },
      "",
      `${withoutMarkup(`User ${who} cannot ${info.verb} path ${JSON.stringify(info.path)}`)}${why}`,
    );
  }
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  const where =
    info.namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(info.namespace)}`;
  const what = `User ${who} cannot ${info.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(info.apiGroup)} ${where}`;
  return forbiddenError(
    { group: info.apiGroup, resource: info.resource },
    info.name,
    `${withoutMarkup(what)}${why}`,
  );
}

function withoutMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
