import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Naming } from "../../naming/naming.js";
import { admissionPolicies } from "./admission-policies.js";
import { componentStatuses } from "./component-statuses.js";
import type { KindBehaviour } from "./kind-behaviour.js";
import { nodes } from "./nodes.js";
import { podCertificateRequests } from "./pod-certificate-requests.js";
import { bindings, pods } from "./pods.js";
import { claimTemplates, resourceClaims } from "./resource-claims.js";
import { accessReviews, selfSubjectReviews, tokenReviews } from "./reviews.js";
import { roles } from "./roles.js";
import { serviceAccounts } from "./service-accounts.js";
import { services } from "./services.js";
import { signingRequests } from "./signing-requests.js";

const behaviours: readonly KindBehaviour[] = [
  pods,
  bindings,
  services,
  nodes,
  serviceAccounts,
  componentStatuses,
  tokenReviews,
  selfSubjectReviews,
  ...accessReviews,
  signingRequests,
  podCertificateRequests,
  resourceClaims,
  claimTemplates,
  ...roles,
  ...admissionPolicies,
];

/** What a built-in kind does beyond plain reads and writes; undefined for most. */
export function behaviourOf(
  { group, resource }: ResourceDefinition,
  naming: Naming,
): KindBehaviour | undefined {
  return behaviours.find(
    (behaviour) => behaviour.resource === resource && naming.group(behaviour.group) === group,
  );
}
