import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import { tokenReviews } from "./token-review/resource.js";

export function authenticationResources(context: ApiContext): ResourceDefinition[] {
  return [tokenReviews(context)];
}
