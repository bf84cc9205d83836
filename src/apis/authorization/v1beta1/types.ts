import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { authorizationV1Types } from "../v1/types.js";

/** The same as v1, except for the name of one field; selectors are those of v1. */
export const authorizationV1beta1Types: TypePackage = siblingVersion(
  "authorization/v1beta1",
  authorizationV1Types,
  () => ({
    without: ["FieldSelectorAttributes", "LabelSelectorAttributes"],
    changed: { SubjectAccessReviewSpec: { fields: { groups: { name: "group" } } } },
  }),
);
