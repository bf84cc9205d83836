import { accountOf } from "../../access/authentication/service-account-claims.js";
import { asError } from "../../apimachinery/errors/as-error.js";
import { accessRefusal } from "../../apimachinery/requests/access-refusal.js";
import type { AccessInfo } from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { isDns1123Subdomain } from "../../apimachinery/validation/dns-names.js";
import { userOf as senderOf } from "../../request/request-scope.js";
import type { RequestContext } from "../request/request-context.js";
import { type Authorize, selectorsOf } from "./authorize.js";
import { type ImpersonationModes, type ImpersonationTarget, infoOf, userOf } from "./impersonate.js";

const nodePrefix = "system:node:";
const nodesGroup = "system:nodes";
const privilegedGroup = "system:masters";
/** With this many groups or extra fields, the right to all of them is checked first. */
const many = 4;

/** Limit of users whose last mode is remembered. */
const rememberedMax = 10_000;

type Mode = "associated-node" | "arbitrary-node" | "serviceaccount" | "user-info";
/** A constrained mode, or impersonation without constraints. */
type AnyMode = Mode | "unconstrained";

/**
 * Impersonation that is limited to certain requests: a mode needs `impersonate:MODE` for the user, and `impersonate-on:MODE:VERB` for the
 * requested action. The unconstrained right suffices too. A user's last successful mode is tried first, because it needs the fewest
 * checks and its refusal is the most useful. `domain` is the prefix of extra keys. Source: KEP-5284.
 */
export function constrainedImpersonation(domain: string, authenticationGroup: string): ImpersonationModes {
  const lastModes = new LastModes();
  return {
    async find(context, authorizer, targets) {
      const sender = senderOf(context);
      const last = lastModes.of(sender.name);
      const modes: readonly AnyMode[] = [...modesFor(targets, sender, domain), "unconstrained"];
      const first = modes.filter((mode) => mode === last);
      let refusal: Error | undefined;
      for (const mode of [...first, ...modes.filter((other) => other !== last)]) {
        try {
          const granted = await tryAny(mode, { context, authorizer, domain, authenticationGroup }, targets);
          lastModes.remember(sender.name, mode);
          return granted;
        } catch (error) {
          refusal ??= asError(error);
        }
      }
      throw refusal ?? new Error("no mode of impersonation was tried");
    },
  };
}

class LastModes {
  readonly #modes = new Map<string, AnyMode>();

  of(user: string): AnyMode | undefined {
    return this.#modes.get(user);
  }

  /** Evicts the user that impersonated least recently. */
  remember(user: string, mode: AnyMode): void {
    this.#modes.delete(user);
    this.#modes.set(user, mode);
    if (this.#modes.size <= rememberedMax) return;
    for (const oldest of this.#modes.keys()) {
      this.#modes.delete(oldest);
      return;
    }
  }
}

async function tryAny(
  mode: AnyMode,
  attempt: Omit<Attempt, "mode">,
  targets: readonly ImpersonationTarget[],
): Promise<{ readonly user: UserInfo; readonly constraint: string }> {
  const sender = senderOf(attempt.context);
  if (mode !== "unconstrained") {
    const user = await tryMode({ ...attempt, mode }, sender, targets);
    return { user, constraint: `impersonate:${mode}` };
  }
  const uids = targets.filter(({ resource }) => resource === "uids");
  const [user, ...others] = targets.filter(({ resource }) => resource !== "uids");
  for (const target of [...(user === undefined ? [] : [user]), ...uids, ...others]) {
    await demand(attempt, sender, infoOf(target));
  }
  return { user: userOf(targets), constraint: "" };
}

function modesFor(
  targets: readonly ImpersonationTarget[],
  sender: UserInfo,
  domain: string,
): readonly Mode[] {
  const [first] = targets;
  const isUserAlone = targets.length === 1;
  if (first?.resource === "serviceaccounts") return isUserAlone ? ["serviceaccount"] : [];
  const node = first === undefined ? undefined : nodeOf(first);
  if (node === undefined) return ["user-info"];
  if (!isUserAlone) return [];
  const own = sender.extra[`authentication.${domain}/node-name`];
  const isAssociated = accountOf(sender.name) !== undefined && own?.length === 1 && own[0] === node;
  return isAssociated ? ["associated-node", "arbitrary-node"] : ["arbitrary-node"];
}

/** The node whose identity is requested. */
function nodeOf({ resource, name }: ImpersonationTarget): string | undefined {
  if (resource !== "users" || !name.startsWith(nodePrefix)) return undefined;
  const node = name.slice(nodePrefix.length);
  return isDns1123Subdomain(node).length === 0 ? node : undefined;
}

interface Attempt {
  readonly mode: Mode;
  readonly context: RequestContext;
  readonly authorizer: Authorize;
  readonly domain: string;
  readonly authenticationGroup: string;
}

/** Rejects with 403 when something is not allowed. */
async function tryMode(
  attempt: Attempt,
  sender: UserInfo,
  targets: readonly ImpersonationTarget[],
): Promise<UserInfo> {
  const { mode, context, domain } = attempt;
  // Of the service account's token, only the node matters: a permission holds for all pods on the node.
  const keys = { [`authentication.${domain}/associated-node-keys`]: Object.keys(sender.extra).sort() };
  const asker = mode === "associated-node" ? { ...sender, extra: keys } : sender;
  const { info } = context;
  await demand(attempt, asker, {
    ...info,
    verb: `impersonate-on:${mode}:${info.verb}`,
    selectors: selectorsOf(context),
  });
  const verb = `impersonate:${mode}`;
  const [user] = targets;
  const node = user === undefined ? undefined : nodeOf(user);
  if (user !== undefined) {
    const asked = { ...user, group: attempt.authenticationGroup, version: "v1" };
    const info = infoOf(asked, verb);
    const ofNode = { ...info, resource: "nodes", name: mode === "associated-node" ? "*" : (node ?? "") };
    await demand(attempt, asker, node === undefined ? info : ofNode);
  }
  for (const uid of targets.filter(({ resource }) => resource === "uids")) {
    await demand(attempt, asker, infoOf(uid, verb));
  }
  await demandGroups(
    attempt,
    asker,
    targets.filter(({ resource }) => resource === "groups"),
    verb,
  );
  await demandExtra(
    attempt,
    asker,
    targets.filter(({ resource }) => resource === "userextras"),
    verb,
  );
  return userOf(targets, node === undefined ? undefined : [nodesGroup]);
}

async function demandGroups(
  attempt: Attempt,
  asker: UserInfo,
  groups: readonly ImpersonationTarget[],
  verb: string,
) {
  const infos = groups.map((group) =>
    infoOf({ ...group, group: attempt.authenticationGroup, version: "v1" }, verb),
  );
  for (const info of infos) {
    if (info.name === "") refuse(asker, info, "impersonating the empty string group is not allowed");
    if (info.name === privilegedGroup) {
      refuse(asker, info, `impersonating the ${privilegedGroup} group is not allowed`);
    }
  }
  await demandAll(attempt, asker, infos, { name: "*" });
}

async function demandExtra(
  attempt: Attempt,
  asker: UserInfo,
  extra: readonly ImpersonationTarget[],
  verb: string,
) {
  const infos = extra.map((each) => infoOf(each, verb));
  for (const info of infos) {
    const problem = extraProblem(info.subresource, info.name);
    if (problem !== undefined) refuse(asker, { ...info, subresource: "", name: "" }, problem);
  }
  await demandAll(attempt, asker, infos, { subresource: "*", name: "*" });
}

function extraProblem(key: string, value: string): string | undefined {
  if (key === "") return "impersonating the empty string key in extra is not allowed";
  const [prefix = "", ...path] = key.split("/");
  if (path.join("/") === "" || isDns1123Subdomain(prefix).length > 0) {
    return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${JSON.stringify(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
  }
  if (key !== key.toLowerCase()) {
    return `impersonating a non-lowercase key in extra is not allowed: ${JSON.stringify(key)}`;
  }
  return value === "" ? "impersonating the empty string value in extra is not allowed" : undefined;
}

async function demandAll(
  attempt: Attempt,
  asker: UserInfo,
  infos: readonly AccessInfo[],
  any: Partial<AccessInfo>,
): Promise<void> {
  const [first] = infos;
  if (first !== undefined && infos.length >= many) {
    const { authorizer, context } = attempt;
    const all = await authorizer({ user: asker, info: { ...first, ...any }, signal: context.signal });
    if (all.kind === "allow") return;
  }
  for (const info of infos) await demand(attempt, asker, info);
}

async function demand(
  { authorizer, context }: Omit<Attempt, "mode">,
  user: UserInfo,
  info: AccessInfo,
): Promise<void> {
  const { kind, reason, error } = await authorizer({ user, info, signal: context.signal });
  if (kind === "allow") return;
  const parts = [error?.message ?? "", reason].filter((part) => part !== "");
  refuse(user, info, parts.join(": "));
}

function refuse(user: UserInfo, info: AccessInfo, reason: string): never {
  throw accessRefusal(user, info, { reason });
}
