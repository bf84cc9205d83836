import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { authenticationV1Types } from "../v1/types.js";

/** The same as v1, without token requests. */
export const authenticationV1beta1Types: TypePackage = siblingVersion(
  "authentication/v1beta1",
  authenticationV1Types,
  () => ({
    without: ["TokenRequest", "TokenRequestSpec", "TokenRequestStatus", "BoundObjectReference"],
    changed: { SelfSubjectReviewStatus: { fields: { userInfo: { type: "authentication/v1.UserInfo" } } } },
  }),
);
