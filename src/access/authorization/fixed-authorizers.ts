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

/** Has no opinion, as in Kubernetes: if no authorizer allows a request, it is denied. */
export const alwaysDeny: Authorizer = { authorize: () => everythingIsForbidden, rulesFor: () => noAccess };

/**
 * Allows everything to members of a group, because the server's own requests must not depend on objects in the cluster. Kubernetes does
 * not list this in rules reviews.
 */
export function privilegedGroup(group: string): Authorizer {
  return {
    authorize: ({ user }) => (user.groups.includes(group) ? allow : noOpinion),
    rulesFor: () => noAccess,
  };
}
