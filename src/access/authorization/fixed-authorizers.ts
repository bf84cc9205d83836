import {
  type Authorizer,
  allAccess,
  allow,
  type Decision,
  noAccess,
  noOpinion,
} from "../../apimachinery/requests/authorizer.js";

const everythingIsForbidden: Decision = { kind: "noOpinion", reason: "Everything is forbidden." };

export const alwaysAllow: Authorizer = { authorize: () => allow, rulesFor: () => allAccess };

/** Leaves the decision to the others, as in Kubernetes: when none of them allows a request, it is denied. */
export const alwaysDeny: Authorizer = { authorize: () => everythingIsForbidden, rulesFor: () => noAccess };

/**
 * Allows everything to members of a group, because what the server itself does must not depend on objects in the cluster. Kubernetes
 * does not list it among their rules.
 */
export function privilegedGroup(group: string): Authorizer {
  return {
    authorize: ({ user }) => (user.groups.includes(group) ? allow : noOpinion),
    rulesFor: () => noAccess,
  };
}
