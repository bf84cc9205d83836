import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { PresentedChain } from "./certificates/presented-chain.js";
import { type LastDigest, tokenDigest } from "./token-digest.js";

/** The credentials that a request carries. */
export interface Credentials {
  /** The `Authorization` header, or its equivalent in a WebSocket client's subprotocol. */
  readonly authorization: string | undefined;
  /** Why the token of a WebSocket client cannot be read. */
  readonly tokenProblem?: string | undefined;
  readonly headers: CredentialHeaders;
  /** Undefined when the client presented no certificate. */
  readonly certificates: PresentedChain | undefined;
  /** Shared by the requests of the connection. */
  readonly lastDigest?: LastDigest | undefined;
}

export interface CredentialHeaders {
  /** Every header in the order sent, names in lower case; repeated ones apart. */
  entries(): Iterable<readonly [name: string, value: string]>;
}

export type AuthenticationResult =
  | Authenticated
  /** No credentials of this mechanism: ask the next one. */
  | { readonly kind: "none" }
  /**
   * Credentials of this mechanism that are invalid. The reason is for the log and TokenReviews; it never holds a secret.
   */
  | {
      readonly kind: "rejected";
      readonly reason: string;
      readonly notes?: readonly CredentialNote[] | undefined;
    };

export interface Authenticated {
  readonly kind: "authenticated";
  readonly user: UserInfo;
  /** The requested audiences that a token is meant for; undefined for mechanisms without audiences. */
  readonly audiences?: readonly string[] | undefined;
  readonly notes?: readonly CredentialNote[] | undefined;
}

/** A note about the credentials for the operator: an annotation of the audit event, and perhaps a warning to the client. */
export interface CredentialNote {
  readonly key: string;
  readonly value: string;
  readonly warning?: string | undefined;
}

/** Authenticates requests. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<AuthenticationResult> | AuthenticationResult;
}

/**
 * Authenticates bearer tokens. Requests cannot abort it, because several may share one result. For a known token, a mechanism returns the
 * same user object each time, so later steps can cache by identity.
 */
export interface TokenMechanism {
  authenticate(token: string, asked: TokenQuestion): Promise<AuthenticationResult> | AuthenticationResult;
}

export interface TokenQuestion {
  /** The audiences that the token must be meant for. Empty: any. */
  readonly audiences: readonly string[];
  /** Shared by the requests of the connection that presents the token, if there is one. */
  readonly lastDigest?: LastDigest | undefined;
}

/** The digest that identifies a token in caches. */
export function digestOf(token: string, asked?: Pick<TokenQuestion, "lastDigest">): string {
  return asked?.lastDigest?.of(token) ?? tokenDigest(token);
}

export const noCredentials: AuthenticationResult = { kind: "none" };

/** The group of everyone who is authenticated. */
export const authenticatedGroup = "system:authenticated";
/** The group of everyone else. */
export const unauthenticatedGroup = "system:unauthenticated";

export const anonymousUser: UserInfo = {
  name: "system:anonymous",
  uid: "",
  groups: [unauthenticatedGroup],
  extra: {},
};

/** Adds the group of authenticated users; not to anonymous users, whom a front proxy may forward as well. */
export function authenticated(user: UserInfo): Authenticated {
  const isComplete =
    user.name === anonymousUser.name ||
    user.groups.includes(authenticatedGroup) ||
    user.groups.includes(unauthenticatedGroup);
  const groups = isComplete ? user.groups : [...user.groups, authenticatedGroup];
  return { kind: "authenticated", user: { ...user, groups } };
}

export function rejected(reason: string, notes?: readonly CredentialNote[]): AuthenticationResult {
  return { kind: "rejected", reason, ...(notes !== undefined && { notes }) };
}

/**
 * The token of a `Bearer` header, undefined for any other scheme. As in Kubernetes, exactly one space precedes it, and anything after
 * it is ignored.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const text = authorization.trim();
  // The form that nearly all clients use.
  if (text.startsWith("Bearer ") && text.length > bearerLength && !text.includes(" ", bearerLength)) {
    return text.slice(bearerLength);
  }
  const [scheme = "", token = ""] = text.split(" ", 2);
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}

const bearerLength = "Bearer ".length;

/** Whether a `Bearer` header is ignored because more than one space precedes its token. */
export function hasSpaceBeforeToken(authorization: string | undefined): boolean {
  return authorization !== undefined && /^bearer {2}/i.test(authorization.trim());
}
