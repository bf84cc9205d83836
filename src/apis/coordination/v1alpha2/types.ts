import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { coordinationV1beta1Types } from "../v1beta1/types.js";

/** The same as v1beta1. */
export const coordinationV1alpha2Types: TypePackage = siblingVersion(
  "coordination/v1alpha2",
  coordinationV1beta1Types,
  () => ({
    changed: {
      LeaseCandidateSpec: {
        fields: {
          strategy: { required: true, before: { "1.33": { featureGate: "CoordinatedLeaderElection" } } },
        },
      },
    },
  }),
);
