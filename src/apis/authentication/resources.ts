import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { selfSubjectReviews } from "./self-subject-review/resource.js";
import { tokenReviews } from "./token-review/resource.js";

export function authenticationResources(context: ApiContext): ResourceDefinition[] {
  return [selfSubjectReviews(context), tokenReviews(context)];
}
