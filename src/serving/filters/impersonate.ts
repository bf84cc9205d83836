import {
  anonymousUser,
  authenticatedGroup,
  unauthenticatedGroup,
} from "../../access/authentication/authenticator.js";
import { unescaped } from "../../access/authentication/request-header.js";
import {
  accountGroups,
  accountOf,
  accountUserName,
} from "../../access/authentication/service-account-claims.js";
import { badRequest, internal } from "../../apimachinery/errors/status.js";
import { type AccessInfo, resourceAccess } from "../../apimachinery/requests/authorizer.js";
import { fromHeader } from "../../apimachinery/requests/header-text.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import { type Authorize, authorizeAs } from "./authorize.js";
import type { Filter } from "./filter.js";

const headerPrefix = "impersonate-";
const userHeader = "impersonate-user";
const groupHeader = "impersonate-group";
const uidHeader = "impersonate-uid";
const extraPrefix = "impersonate-extra-";
/** Each target costs one authorization check. */
const targetsMax = 1000;

/** One attribute of the requested user (name, group, uid or extra); each must be allowed. */
export interface ImpersonationTarget {
  readonly group: string;
  readonly version: string;
  readonly resource: "users" | "groups" | "serviceaccounts" | "uids" | "userextras";
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Constrained impersonation (KEP-5284), in which the unconstrained right is one of the modes. */
export interface ImpersonationModes {
  /** Rejects if no mode allows it. */
  find(
    context: RequestContext,
    authorizer: Authorize,
    targets: readonly ImpersonationTarget[],
  ): Promise<{ readonly user: UserInfo; readonly constraint: string }>;
}

export interface ImpersonateOptions {
  readonly authenticationGroup: string;
  /** Whether groups without a user are answered with 500, as before 1.35, instead of 400. */
  readonly blamesServer: boolean;
  /** Undefined where impersonation is unconstrained. */
  readonly modes?: ImpersonationModes | undefined;
}

/**
 * `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*`: makes the request as another user, if the authenticated user may impersonate
 * that one (verb impersonate). Rejects with 403 otherwise. Source: apiserver `filters/impersonation.go`.
 */
export function impersonate(authorizer: Authorize, options: ImpersonateOptions): Filter {
  return (context, next) => {
    if (!asksForSomebodyElse(context.exchange)) return next(context);
    return takeOn(context, authorizer, options).then(() => next(context));
  };
}

function asksForSomebodyElse({ headers }: HttpExchange): boolean {
  for (const name in headers) if (name.startsWith(headerPrefix)) return true;
  return false;
}

async function takeOn(
  context: RequestContext,
  authorizer: Authorize,
  { authenticationGroup, modes, blamesServer }: ImpersonateOptions,
): Promise<void> {
  const targets = targetsOf(context.exchange, authenticationGroup);
  if (targets.length === 0) return;
  if (!targets.some(({ resource }) => resource === "users" || resource === "serviceaccounts")) {
    const asked = targets.map(textOf).join(" ");
    if (modes !== undefined) throw badRequest(`requested [${asked}] without impersonating a user name`);
    const message = `requested [${asked}] without impersonating a user`;
    // Kubernetes' status code, although it is the client's error.
    throw blamesServer ? internal(message) : badRequest(message);
  }
  if (modes !== undefined) {
    const granted = await modes.find(context, authorizer, targets);
    context.impersonationConstraint = granted.constraint;
    context.user = granted.user;
    return;
  }
  for (const target of targets) await authorizeAs(authorizer, context, infoOf(target));
  context.user = userOf(targets);
}

/** Reads the headers in one pass, the user first: if the user is refused, nothing else is checked. */
function targetsOf(exchange: HttpExchange, authenticationGroup: string): readonly ImpersonationTarget[] {
  const core = { group: "", version: "", subresource: "", namespace: "" };
  const own = { ...core, group: authenticationGroup, version: "v1" };
  let user = "";
  let uid = "";
  const groups: ImpersonationTarget[] = [];
  const extras: ImpersonationTarget[] = [];
  for (const [header, line] of exchange.headerLines()) {
    if (!header.startsWith(headerPrefix)) continue;
    const value = fromHeader(line);
    if (header === userHeader) user ||= value;
    else if (header === uidHeader) uid ||= value;
    else if (header === groupHeader) groups.push({ ...core, resource: "groups", name: value });
    else if (header.startsWith(extraPrefix)) {
      const subresource = unescaped(header.slice(extraPrefix.length));
      extras.push({ ...own, resource: "userextras", subresource, name: value });
    }
  }
  const targets = [...userTarget(user, core), ...groups, ...extras];
  if (uid !== "") targets.push({ ...own, resource: "uids", name: uid });
  if (targets.length > targetsMax) {
    throw badRequest(`too many impersonation headers: ${targets.length}, at most ${targetsMax} are allowed`);
  }
  return targets;
}

const kinds: Readonly<Record<ImpersonationTarget["resource"], string>> = {
  users: "User",
  groups: "Group",
  serviceaccounts: "ServiceAccount",
  uids: "UID",
  userextras: "UserExtra",
};

/** As Go prints the object reference that Kubernetes uses for the attribute: without uid and resourceVersion. */
function textOf({ resource, namespace, name, group, version, subresource }: ImpersonationTarget): string {
  const apiVersion = version === "" ? "" : `${group}/${version}`;
  return `{${[kinds[resource], namespace, name, "", apiVersion, "", subresource].join(" ")}}`;
}

function userTarget(
  user: string,
  core: Omit<ImpersonationTarget, "resource" | "name">,
): readonly ImpersonationTarget[] {
  if (user === "") return [];
  const account = accountOf(user);
  return [
    account === undefined
      ? { ...core, resource: "users", name: user }
      : { ...core, resource: "serviceaccounts", ...account },
  ];
}

/** The authorization check for an attribute. */
export function infoOf(target: ImpersonationTarget, verb = "impersonate"): AccessInfo {
  const { group, version, resource, subresource, namespace, name } = target;
  return resourceAccess({
    verb,
    apiGroup: group,
    apiVersion: version,
    namespace,
    resource,
    subresource,
    name,
  });
}

/** The user that all attributes together describe. */
export function userOf(targets: readonly ImpersonationTarget[], given?: readonly string[]): UserInfo {
  const named = (resource: ImpersonationTarget["resource"]) =>
    targets.filter((target) => target.resource === resource);
  const [account] = named("serviceaccounts");
  const name =
    account === undefined
      ? (named("users")[0]?.name ?? "")
      : accountUserName(account.namespace, account.name);
  const extra = new Map<string, string[]>();
  for (const { subresource, name: value } of named("userextras")) {
    const values = extra.get(subresource);
    if (values === undefined) extra.set(subresource, [value]);
    else values.push(value);
  }
  const asked = named("groups").map((target) => target.name);
  const groups =
    given ?? (account !== undefined && asked.length === 0 ? accountGroups(account.namespace) : asked);
  return {
    name,
    uid: named("uids")[0]?.name ?? "",
    groups: withOwnGroup(name, groups),
    extra: Object.fromEntries(extra),
  };
}

/** Every user is in one of these two groups. */
function withOwnGroup(name: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(unauthenticatedGroup)) return groups;
  if (name === anonymousUser.name) return [...groups, unauthenticatedGroup];
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
}
