import {
  anonymousUser,
  type CredentialNote,
  hasSpaceBeforeToken,
  unauthenticatedGroup,
} from "../../access/authentication/authenticator.js";
import type { Identification } from "../../access/authentication/union.js";
import { unauthorized } from "../../apimachinery/errors/status.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter, Handled, Handler } from "./filter.js";

/** Authenticates the client. */
export type Authenticate = (request: RequestContext) => Promise<Identification> | Identification;

export interface AuthenticateOptions {
  /** The realm of the challenge (RFC 6750 §3). */
  readonly realm: string;
  /** Whether a request without credentials is admitted, as the anonymous user. One with invalid credentials never is. */
  readonly anonymous: (request: RequestContext) => boolean;
  /**
   * Whether the connection of an unauthenticated HTTP/2 request is closed after the answer, because keeping it is costly and invites
   * abuse.
   */
  readonly closesHttp2?: boolean | undefined;
  /** Whether a client is warned when its token is ignored because more than one space precedes it. */
  readonly warnsOfSpace: boolean;
  /** Called with the result of every attempt; the client only learns that authentication failed. */
  readonly observe: (request: RequestContext, result: Identification, startedAt: number) => void;
}

const spaceBeforeToken =
  "the provided Authorization header contains extra space before the bearer token, and is ignored";
const noNotes: readonly CredentialNote[] = [];
const anonymous: Identification = { kind: "user", user: anonymousUser };

/** Sets the user. Rejects with 401 for invalid credentials, or for none where anonymous requests are refused. */
export function authenticate(authenticator: Authenticate, options: AuthenticateOptions): Filter {
  const challenge = `Bearer realm="${options.realm}"`;
  const admit = (
    context: RequestContext,
    next: Handler,
    result: Identification,
    startedAt: number,
  ): Handled => {
    const isAnonymous =
      result.kind === "refused" && result.reasons.length === 0 && options.anonymous(context);
    const identified: Identification = isAnonymous ? anonymous : result;
    options.observe(context, identified, startedAt);
    for (const { key, value, warning } of identified.notes ?? noNotes) {
      context.annotate(key, value);
      if (warning !== undefined) context.warn(warning);
    }
    if (isNobody(identified)) {
      const { exchange } = context;
      if (options.closesHttp2 === true && exchange.httpVersion === "2.0") exchange.closeAfterResponse();
      if (options.warnsOfSpace && hasSpaceBeforeToken(exchange.headers.authorization)) {
        context.warn(spaceBeforeToken);
      }
    }
    if (identified.kind === "refused") {
      context.exchange.addResponseHeader("WWW-Authenticate", challenge);
      return Promise.reject(unauthorized());
    }
    context.authenticatedUser = identified.user;
    context.user = identified.user;
    return next(context);
  };
  return (context, next) => {
    const startedAt = performance.now();
    const result = authenticator(context);
    return result instanceof Promise
      ? result.then((awaited) => admit(context, next, awaited, startedAt))
      : admit(context, next, result, startedAt);
  };
}

function isNobody(identified: Identification): boolean {
  return (
    identified.kind === "refused" ||
    identified.user.name === anonymousUser.name ||
    identified.user.groups.includes(unauthenticatedGroup)
  );
}
