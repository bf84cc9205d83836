import { FieldPath, forbidden } from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ApiObject, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import { type Authorizer, resourceAccess } from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { ParamKind, ParamRef } from "../../apis/gen/admissionregistration-v1.js";
import type { RegistryContext } from "../generic/registry-context.js";
import type { RegistryHooks } from "../generic/write-stages.js";

export interface ParamAccessParts {
  readonly level: ApiLevel;
  readonly authorizer: Authorizer;
  /** The plural name of a kind that is served in this version. */
  resourceOf(kind: GroupVersionKind): string | undefined;
}

interface Policy extends ApiObject {
  readonly spec: { readonly paramKind?: ParamKind | undefined };
}

interface Binding extends ApiObject {
  readonly spec: { readonly policyName?: string | undefined; readonly paramRef?: ParamRef | undefined };
}

interface Asked {
  readonly verb: "get" | "list";
  readonly namespace: string;
  readonly name: string;
}

interface Params {
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
}

/** The parameters' kind is unknown, so every permission is needed. */
const anything: Params = { apiGroup: "*", apiVersion: "*", resource: "*" };

/**
 * Whoever writes a policy with parameters must be allowed to read all objects of their kind, because refusals reveal them. Source:
 * Kubernetes `pkg/registry/admissionregistration`, authz.go.
 */
export function policyHooks(parts: ParamAccessParts): RegistryHooks<Policy> {
  return {
    async refusals(context, { spec }, old) {
      const { paramKind } = spec;
      if (paramKind === undefined) return [];
      const { apiVersion = "", kind = "" } = paramKind;
      const former = old?.spec.paramKind;
      if (former !== undefined && former.apiVersion === apiVersion && former.kind === kind) return [];
      const asked = { verb: "get", namespace: "*", name: "*" } as const;
      if (await mayRead(parts, context, asked, paramsOf(paramKind, parts) ?? anyOf(paramKind))) return [];
      const why = `user ${userText(context.user)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
      return [forbidden(FieldPath.of("spec", "paramKind"), why)];
    },
  };
}

/** Whoever writes a binding with parameters must be allowed to read those that it refers to. */
export function bindingHooks(
  parts: ParamAccessParts,
  policyOf: (name: string) => Promise<Policy | undefined>,
): RegistryHooks<Binding> {
  return {
    async refusals(context, binding, old) {
      const { paramRef, policyName = "" } = binding.spec;
      if (paramRef === undefined || (old !== undefined && refersAsBefore(binding, old))) return [];
      const { name = "", namespace = "" } = paramRef;
      const verb = name === "" && isAtLeast(parts.level, "1.28") ? "list" : "get";
      const policy = await policyOf(policyName);
      const paramKind = policy?.spec.paramKind;
      const known = paramKind && paramsOf(paramKind, parts);
      const params = known ?? (paramKind === undefined ? anything : anyOf(paramKind));
      if (await mayRead(parts, context, { verb, namespace, name }, params)) return [];
      const why = refusal(parts.level, { user: userText(context.user), verb, policyName, policy, known });
      return [forbidden(FieldPath.of("spec", "paramRef"), why)];
    },
  };
}

interface Refused {
  readonly user: string;
  readonly verb: string;
  readonly policyName: string;
  readonly policy: Policy | undefined;
  readonly known: Params | undefined;
}

function refusal(level: ApiLevel, { user, verb, policyName, policy, known }: Refused): string {
  if (isAtLeast(level, "1.32")) {
    const all = `to determine minimum required permissions and user ${user} does not have "${verb}" permission for all groups, versions and resources`;
    if (policy === undefined) return `unable to get policy ${policyName} ${all}`;
    const { paramKind } = policy.spec;
    if (paramKind !== undefined && known === undefined) {
      return `unable to resolve paramKind &{${paramKind.apiVersion} ${paramKind.kind}} ${all}`;
    }
  }
  // Levels 1.28 to 1.30 swap the two.
  const isMixedUp = isAtLeast(level, "1.28") && !isAtLeast(level, "1.31");
  const [who, what] = isMixedUp ? [verb, user] : [user, verb];
  return `user ${who} does not have "${what}" permission on the object referenced by paramRef`;
}

/** Compares as Kubernetes does: a selector or a parameterNotFoundAction never equals an earlier one. */
function refersAsBefore({ spec }: Binding, { spec: old }: Binding): boolean {
  const [now, before] = [spec.paramRef, old.paramRef];
  const isPlain = [now, before].every(
    (ref) => ref !== undefined && ref.selector === undefined && ref.parameterNotFoundAction === undefined,
  );
  return (
    isPlain &&
    now?.name === before?.name &&
    now?.namespace === before?.namespace &&
    spec.policyName === old.policyName
  );
}

function paramsOf(paramKind: ParamKind, { resourceOf }: ParamAccessParts): Params | undefined {
  const { apiGroup, apiVersion } = anyOf(paramKind);
  const resource = resourceOf({ group: apiGroup, version: apiVersion, kind: paramKind.kind ?? "" });
  return resource === undefined ? undefined : { apiGroup, apiVersion, resource };
}

/** All resources of the group version. */
function anyOf({ apiVersion = "" }: ParamKind): Params {
  const slash = apiVersion.indexOf("/");
  return {
    apiGroup: slash < 0 ? "" : apiVersion.slice(0, slash),
    apiVersion: apiVersion.slice(slash + 1),
    resource: "*",
  };
}

async function mayRead(
  { authorizer }: ParamAccessParts,
  { user, signal }: RegistryContext,
  asked: Asked,
  params: Params,
): Promise<boolean> {
  // The group of the server's own controllers.
  if (user.groups.includes("system:masters")) return true;
  return (
    (await authorizer.authorize({ user, info: resourceAccess({ ...asked, ...params }), signal })).kind ===
    "allow"
  );
}

/** As Go prints the user. */
function userText({ name, uid, groups, extra }: UserInfo): string {
  const pairs = Object.keys(extra)
    .sort()
    .map((key) => `${key}:[${extra[key]?.join(" ") ?? ""}]`);
  return `&{${name} ${uid} [${groups.join(" ")}] map[${pairs.join(" ")}]}`;
}
