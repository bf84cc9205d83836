import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { numberOf, textOf } from "../../apimachinery/json/json-values.js";
import {
  validateNamespaceName,
  validateServiceAccountName,
} from "../../apimachinery/validation/object-name.js";

export interface ObjectRef {
  readonly name: string;
  readonly uid: string;
}

export interface NodeRef {
  readonly name: string;
  readonly uid?: string | undefined;
}

/** The claims of a service account token. Times are seconds since the epoch. */
export interface ServiceAccountClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly issuedAt: number | undefined;
  readonly notBefore: number | undefined;
  readonly expiresAt: number | undefined;
  readonly namespace: string;
  readonly account: ObjectRef;
  /** The object that the token is bound to; at most one of them. */
  readonly pod: ObjectRef | undefined;
  readonly secret: ObjectRef | undefined;
  /** The node that the token is bound to, or the one of its pod, whose uid may be unknown. Undefined in tokens of levels before 1.29. */
  readonly node?: NodeRef | undefined;
  /** Unique for each token; tokens of levels before 1.29 have none. */
  readonly id?: string | undefined;
  /** Use after this time is counted and noted in audit events, but not refused. */
  readonly warnAfter: number | undefined;
}

/** The claims in Kubernetes' layout; `domain` is the name of the private claim. */
export function claimsToJson(claims: ServiceAccountClaims, domain: string): JsonObject {
  const { pod, secret, node, id } = claims;
  return {
    aud: [...claims.audiences],
    ...time("exp", claims.expiresAt),
    ...time("iat", claims.issuedAt),
    iss: claims.issuer,
    ...(id !== undefined && { jti: id }),
    [domain]: {
      namespace: claims.namespace,
      ...(node !== undefined && {
        node: { name: node.name, ...(node.uid !== undefined && { uid: node.uid }) },
      }),
      ...(pod !== undefined && { pod: { ...pod } }),
      ...(secret !== undefined && { secret: { ...secret } }),
      serviceaccount: { ...claims.account },
      ...time("warnafter", claims.warnAfter),
    },
    ...time("nbf", claims.notBefore),
    sub: claims.subject,
  };
}

/** Undefined for the claims of another kind of token. */
export function claimsFromJson(value: JsonObject, domain: string): ServiceAccountClaims | undefined {
  const own = value[domain];
  if (!isJsonObject(own)) return undefined;
  const account = refOf(own.serviceaccount);
  if (account === undefined) return undefined;
  return {
    issuer: textOf(value.iss),
    subject: textOf(value.sub),
    audiences: audiencesOf(value.aud),
    issuedAt: numberOf(value.iat),
    notBefore: numberOf(value.nbf),
    expiresAt: numberOf(value.exp),
    namespace: textOf(own.namespace),
    account,
    pod: refOf(own.pod),
    secret: refOf(own.secret),
    node: nodeOf(own.node),
    id: typeof value.jti === "string" ? value.jti : undefined,
    warnAfter: numberOf(own.warnafter),
  };
}

/** RFC 7519 §4.1.3: one string or a list of them. */
export function audiencesOf(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function accountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

const userNamePrefix = "system:serviceaccount:";

export function accountUserName(namespace: string, name: string): string {
  return `${userNamePrefix}${namespace}:${name}`;
}

/** The account of a user name; undefined for any other user. */
export function accountOf(
  userName: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!userName.startsWith(userNamePrefix)) return undefined;
  const [namespace = "", name = "", ...others] = userName.slice(userNamePrefix.length).split(":", 3);
  if (others.length > 0 || validateNamespaceName(namespace, false).length > 0) return undefined;
  return validateServiceAccountName(name, false).length > 0 ? undefined : { namespace, name };
}

function time(name: string, seconds: number | undefined): JsonObject {
  return seconds === undefined ? {} : { [name]: seconds };
}

function refOf(value: JsonValue | undefined): ObjectRef | undefined {
  return isJsonObject(value) ? { name: textOf(value.name), uid: textOf(value.uid) } : undefined;
}

function nodeOf(value: JsonValue | undefined): NodeRef | undefined {
  if (!isJsonObject(value)) return undefined;
  const uid = textOf(value.uid);
  return { name: textOf(value.name), ...(uid !== "" && { uid }) };
}

/** How users and audit events show the credential with this `jti`. */
export function credentialIdOf(tokenId: string): string {
  return `JTI=${tokenId}`;
}
