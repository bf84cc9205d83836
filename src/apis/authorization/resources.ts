import type { ApiContext } from "../definition/api-context.js";
import type { ResourceDefinition } from "../definition/resource-definition.js";
import type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from "../gen/authorization-v1.js";
import { review } from "./review.js";
import {
  validateLocalSubjectAccessReview,
  validateSelfSubjectAccessReview,
  validateSubjectAccessReview,
} from "./validation.js";

export function authorizationResources(context: ApiContext): ResourceDefinition[] {
  return [
    review<LocalSubjectAccessReview>(context, {
      kind: "LocalSubjectAccessReview",
      namespaced: true,
      validate: validateLocalSubjectAccessReview,
    }),
    review<SelfSubjectAccessReview>(context, {
      kind: "SelfSubjectAccessReview",
      namespaced: false,
      validate: validateSelfSubjectAccessReview,
    }),
    review<SelfSubjectRulesReview>(context, {
      kind: "SelfSubjectRulesReview",
      namespaced: false,
      validate: () => [],
    }),
    review<SubjectAccessReview>(context, {
      kind: "SubjectAccessReview",
      namespaced: false,
      validate: validateSubjectAccessReview,
    }),
  ];
}
