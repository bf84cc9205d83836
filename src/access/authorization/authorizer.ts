import type { RequestInfo, UserInfo } from "../../apimachinery/request-info.js";

export interface Decision {
  readonly allowed: boolean;
  /** Why, for the client; empty when there is nothing to say. */
  readonly reason: string;
}

/** What a user may do in one namespace, as far as it can be listed. */
export interface AccessRules {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs?: readonly string[];
  }[];
  /** Some mechanism decides case by case and cannot list its rules. */
  readonly incomplete: boolean;
}

export interface Authorizer {
  authorize(user: UserInfo, info: RequestInfo): Promise<Decision> | Decision;
  rulesFor(user: UserInfo, namespace: string): Promise<AccessRules> | AccessRules;
}
