import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { authenticationV1Types } from "../v1/types.js";

/** Reviews of oneself. */
export const authenticationV1alpha1Types: TypePackage = siblingVersion(
  "authentication/v1alpha1",
  authenticationV1Types,
  () => ({
    without: [
      "TokenReview",
      "TokenReviewSpec",
      "TokenReviewStatus",
      "UserInfo",
      "TokenRequest",
      "TokenRequestSpec",
      "TokenRequestStatus",
      "BoundObjectReference",
    ],
  }),
);
