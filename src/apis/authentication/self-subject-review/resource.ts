import { nameIsAnything } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { SelfSubjectReview } from "../../gen/authentication-v1.js";

/** Asks who the caller is. Answered on create and not stored. */
export function selfSubjectReviews(context: ApiContext): ResourceDefinition<SelfSubjectReview> {
  return defineResource<SelfSubjectReview>({
    group: context.naming.group("authentication"),
    resource: "selfsubjectreviews",
    kind: "SelfSubjectReview",
    namespaced: false,
    verbs: ["create"],
    versions: [
      hub<SelfSubjectReview>(context, {
        version: "v1",
        since: "1.28",
        type: "authentication/v1.SelfSubjectReview",
      }),
      // The same fields in every version.
      spoke<SelfSubjectReview, SelfSubjectReview>(context, {
        version: "v1beta1",
        since: "1.27",
        until: "1.33",
        type: "authentication/v1beta1.SelfSubjectReview",
        enabledByDefault: false,
        featureGate: "APISelfSubjectReview",
        lifecycle: { introduced: "1.27", deprecated: "1.30", removed: "1.33" },
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
      spoke<SelfSubjectReview, SelfSubjectReview>(context, {
        version: "v1alpha1",
        since: "1.26",
        until: "1.32",
        type: "authentication/v1alpha1.SelfSubjectReview",
        enabledByDefault: false,
        featureGate: "APISelfSubjectReview",
        lifecycle: { introduced: "1.26", deprecated: "1.29", removed: "1.32" },
        before: { "1.27": { lifecycle: { introduced: "1.25", deprecated: "1.28", removed: "1.31" } } },
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
    ],
    storage: undefined,
    strategy: strategy<SelfSubjectReview>({ validateName: nameIsAnything }),
  });
}
