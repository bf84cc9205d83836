import { nameIsAnything } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TokenReview } from "../../gen/authentication-v1.js";

/** Asks whose token it is. Answered on create and not stored. */
export function tokenReviews(context: ApiContext): ResourceDefinition<TokenReview> {
  return defineResource<TokenReview>({
    group: context.naming.group("authentication"),
    resource: "tokenreviews",
    kind: "TokenReview",
    namespaced: false,
    verbs: ["create"],
    versions: [hub<TokenReview>(context, { version: "v1", type: "authentication/v1.TokenReview" })],
    storage: undefined,
    strategy: strategy<TokenReview>({ validateName: nameIsAnything }),
  });
}
