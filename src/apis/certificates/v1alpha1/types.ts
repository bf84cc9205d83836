import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { certificatesV1beta1Types } from "../v1beta1/types.js";

/** The same as v1beta1, without annotations of requests. */
export const certificatesV1alpha1Types: TypePackage = siblingVersion(
  "certificates/v1alpha1",
  certificatesV1beta1Types,
  () => ({
    changed: {
      PodCertificateRequestSpec: { fields: { unverifiedUserAnnotations: false } },
    },
  }),
);
