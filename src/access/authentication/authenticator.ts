import type { UserInfo } from "../../apimachinery/request-info.js";

/** What a request shows of who sent it. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  readonly clientCertificate: ClientCertificate | undefined;
  /** Who a token has to be meant for; undefined are the API's own audiences. */
  readonly audiences?: readonly string[] | undefined;
}

export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Signed by one of the authorities of `--client-ca-file`. */
  readonly authorized: boolean;
}

export type AuthenticationResult =
  | {
      readonly kind: "authenticated";
      readonly user: UserInfo;
      /** Those of the asked audiences that a token is meant for; undefined for mechanisms that know of none. */
      readonly audiences?: readonly string[] | undefined;
    }
  /** Nothing here that this mechanism knows of: ask the next. */
  | { readonly kind: "none" }
  /** Credentials of this mechanism that are wrong. */
  | { readonly kind: "rejected"; readonly reason: string };

export interface Authenticator {
  authenticate(credentials: Credentials): Promise<AuthenticationResult> | AuthenticationResult;
}

export const noCredentials: AuthenticationResult = { kind: "none" };

/** Everyone who was made out is in this group. */
export const authenticatedGroup = "system:authenticated";
/** Everyone else is in this one. */
export const unauthenticatedGroup = "system:unauthenticated";

export const anonymousUser: UserInfo = {
  name: "system:anonymous",
  uid: "",
  groups: [unauthenticatedGroup],
  extra: {},
};

export function authenticated(user: UserInfo): AuthenticationResult & { readonly kind: "authenticated" } {
  const groups = user.groups.includes(authenticatedGroup)
    ? user.groups
    : [...user.groups, authenticatedGroup];
  return { kind: "authenticated", user: { ...user, groups } };
}

/** The token of a `Bearer` header, undefined for any other. As in the original, one space is before it, and what follows it is ignored. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const [scheme = "", token = ""] = authorization.trim().split(" ", 2);
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}
