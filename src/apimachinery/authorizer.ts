import type { RequestInfo, UserInfo } from "./request-info.js";

/** What is to be done, by a request or in the mind of somebody who asks for a review. */
export type AccessInfo = Pick<
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

/** May `user` do what `info` says? A request past authentication is one. */
export interface AccessQuestion {
  readonly user: UserInfo;
  readonly info: AccessInfo;
  /** Aborts when nobody waits for the answer any more. Read only by who needs it: it may be made when first read. */
  readonly signal: AbortSignal;
}

export interface Decision {
  /** `deny` is final; after `noOpinion` the next authorizer is asked, and after the last one the answer is no. */
  readonly kind: "allow" | "deny" | "noOpinion";
  /** Why, for the client; empty when there is nothing to say. */
  readonly reason: string;
  /** What kept an authorizer from judging: a webhook that is away. Unless another allows, the request fails by it. */
  readonly error?: Error | undefined;
}

/** What a user may do in one namespace, as far as it can be listed. */
export interface AccessRules {
  readonly resourceRules: readonly ResourceAccess[];
  readonly nonResourceRules: readonly NonResourceAccess[];
  /** Some mechanism decides case by case and cannot list its rules. */
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

/** Decides who may do what. A decision that needs no waiting comes without a promise. */
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

/** For asking about something else than the request itself: what is not given is empty. */
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
