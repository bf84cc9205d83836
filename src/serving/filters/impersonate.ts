import {
  anonymousUser,
  authenticatedGroup,
  unauthenticatedGroup,
} from "../../access/authentication/authenticator.js";
import { accountGroups, accountUserName } from "../../access/authentication/service-account-claims.js";
import { type AccessInfo, resourceAccess } from "../../apimachinery/authorizer.js";
import type { UserInfo } from "../../apimachinery/request-info.js";
import { internal } from "../../apimachinery/status.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import { type Authorize, authorizeAs } from "./authorize.js";
import type { Filter } from "./filter.js";

const headerPrefix = "impersonate-";
const extraPrefix = "impersonate-extra-";

/** One thing that somebody wants to be taken for; each has to be allowed. */
interface Guise {
  readonly group: string;
  readonly version: string;
  readonly resource: "users" | "groups" | "serviceaccounts" | "uids" | "userextras";
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*`: a request is made as somebody else by those who may (verb impersonate).
 * Throws 403 when they may not. Source: apiserver `filters/impersonation.go`.
 */
export function impersonate(authorizer: Authorize, authenticationGroup: string): Filter {
  return (context, next) => {
    if (!asksForSomebodyElse(context.exchange)) return next();
    const guises = guisesOf(context.exchange, authenticationGroup);
    return takeOn(guises, context, authorizer).then(next);
  };
}

function asksForSomebodyElse({ headers }: HttpExchange): boolean {
  for (const name in headers) if (name.startsWith(headerPrefix)) return true;
  return false;
}

async function takeOn(
  guises: readonly Guise[],
  context: RequestContext,
  authorizer: Authorize,
): Promise<void> {
  if (guises.length === 0) return;
  if (!guises.some(({ resource }) => resource === "users" || resource === "serviceaccounts")) {
    const asked = guises.map(({ resource, name }) => `${resource} ${name}`).join(", ");
    throw internal(`requested ${asked} without impersonating a user`);
  }
  for (const guise of guises) await authorizeAs(authorizer, context, infoOf(guise));
  context.user = userOf(guises);
}

function guisesOf(exchange: HttpExchange, authenticationGroup: string): readonly Guise[] {
  const core = { group: "", version: "", subresource: "", namespace: "" };
  const own = { ...core, group: authenticationGroup, version: "v1" };
  const guises: Guise[] = [];
  const [user = ""] = exchange.headerValues("impersonate-user");
  const account = /^system:serviceaccount:([a-z0-9-]+):([a-z0-9.-]+)$/.exec(user);
  if (account !== null) {
    const [, namespace = "", name = ""] = account;
    guises.push({ ...core, resource: "serviceaccounts", namespace, name });
  } else if (user !== "") {
    guises.push({ ...core, resource: "users", name: user });
  }
  for (const name of exchange.headerValues("impersonate-group")) {
    guises.push({ ...core, resource: "groups", name });
  }
  for (const header of Object.keys(exchange.headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    const subresource = unescaped(header.slice(extraPrefix.length));
    for (const name of exchange.headerValues(header)) {
      guises.push({ ...own, resource: "userextras", subresource, name });
    }
  }
  const [uid = ""] = exchange.headerValues("impersonate-uid");
  if (uid !== "") guises.push({ ...own, resource: "uids", name: uid });
  return guises;
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function infoOf(guise: Guise): AccessInfo {
  const { group, version, resource, subresource, namespace, name } = guise;
  return resourceAccess({
    verb: "impersonate",
    apiGroup: group,
    apiVersion: version,
    namespace,
    resource,
    subresource,
    name,
  });
}

function userOf(guises: readonly Guise[]): UserInfo {
  const named = (resource: Guise["resource"]) => guises.filter((guise) => guise.resource === resource);
  const [account] = named("serviceaccounts");
  const name =
    account === undefined
      ? (named("users")[0]?.name ?? "")
      : accountUserName(account.namespace, account.name);
  const extra: Record<string, string[]> = {};
  for (const { subresource, name: value } of named("userextras")) {
    extra[subresource] = [...(extra[subresource] ?? []), value];
  }
  const asked = named("groups").map((guise) => guise.name);
  const groups = account !== undefined && asked.length === 0 ? accountGroups(account.namespace) : asked;
  return { name, uid: named("uids")[0]?.name ?? "", groups: withOwnGroup(name, groups), extra };
}

/** Everyone is in one of these two. */
function withOwnGroup(name: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(unauthenticatedGroup)) return groups;
  if (name === anonymousUser.name) return [...groups, unauthenticatedGroup];
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
}
