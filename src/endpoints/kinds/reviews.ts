import { accessReview } from "../operations/access-reviews.js";
import { selfSubjectReview } from "../operations/self-subject-review.js";
import { tokenReview } from "../operations/token-review.js";
import type { KindBehaviour } from "./kind-behaviour.js";

export const tokenReviews: KindBehaviour = {
  group: "authentication",
  resource: "tokenreviews",
  operations: ({ settings, admission, authenticateToken }, definition, version) => ({
    create: tokenReview({ definition, version, settings, admission }, authenticateToken),
  }),
};

export const selfSubjectReviews: KindBehaviour = {
  group: "authentication",
  resource: "selfsubjectreviews",
  operations: ({ settings, admission }, definition, version) => ({
    create: selfSubjectReview({ definition, version, settings, admission }),
  }),
};

export const accessReviews: readonly KindBehaviour[] = [
  "subjectaccessreviews",
  "selfsubjectaccessreviews",
  "selfsubjectrulesreviews",
  "localsubjectaccessreviews",
].map((resource) => ({
  group: "authorization",
  resource,
  operations({ level, settings, admission, authorizer }, definition, version) {
    const create = accessReview({ definition, version, settings, admission }, { authorizer, level });
    return create === undefined ? {} : { create };
  },
}));
