import type { AccessSelectors } from "./access-selectors.js";
import type { RequestInfo, UserInfo } from "./request-info.js";

/** An action to authorize: the request's own, or one that an access review asks about. */
export interface AccessInfo extends ActionInfo {
  /** The selectors of a list, watch or deletecollection. */
  readonly selectors?: AccessSelectors | undefined;
}

type ActionInfo = Pick<
  RequestInfo,
  | "isResourceRequest"
  | "path"
  | "verb"
  | "apiGroup"
  | "apiVersion"
  | "namespace"
  | "resource"
  | "subresource"
  | "name"
>;

/** Asks whether `user` may do what `info` describes. */
export interface AccessQuestion {
  readonly user: UserInfo;
  readonly info: AccessInfo;
  /** Aborts when the answer is no longer needed. May be created on first access, so read it only when needed. */
  readonly signal: AbortSignal;
}

export interface Decision {
  /** `deny` is final; after `noOpinion` the next authorizer is asked, and after the last one the request is denied. */
  readonly kind: "allow" | "deny" | "noOpinion";
  /** Why, for the client; may be empty. */
  readonly reason: string;
  /**
   * What kept an authorizer from deciding, such as an unreachable webhook. Unless another allows it, the request is refused with this
   * error.
   */
  readonly error?: Error | undefined;
}

/** What a user may do in one namespace, for SelfSubjectRulesReview. */
export interface AccessRules {
  readonly resourceRules: readonly ResourceAccess[];
  readonly nonResourceRules: readonly NonResourceAccess[];
  /** Some authorizer decides case by case and cannot list its rules. */
  readonly incomplete: boolean;
  /** Why rules may be missing. */
  readonly error?: string | undefined;
}

export interface ResourceAccess {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
}

export interface NonResourceAccess {
  readonly verbs: readonly string[];
  readonly nonResourceURLs?: readonly string[] | undefined;
}

/** Decides who may do what. Returns a promise only when it has to wait. */
export interface Authorizer {
  authorize(question: AccessQuestion): Promise<Decision> | Decision;
  rulesFor(user: UserInfo, namespace: string): Promise<AccessRules> | AccessRules;
}

export const allow: Decision = { kind: "allow", reason: "" };
export const noOpinion: Decision = { kind: "noOpinion", reason: "" };

export const allAccess: AccessRules = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  incomplete: false,
};
export const noAccess: AccessRules = { resourceRules: [], nonResourceRules: [], incomplete: false };

/** The attributes of an action other than the request itself; those not given are empty. */
export function resourceAccess(
  asked: Partial<AccessInfo> & Pick<AccessInfo, "verb" | "resource">,
): AccessInfo {
  return {
    isResourceRequest: true,
    path: "",
    apiGroup: "",
    apiVersion: "",
    namespace: "",
    subresource: "",
    name: "",
    ...asked,
  };
}
