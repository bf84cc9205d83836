import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { coordinationV1alpha2Types } from "../v1alpha2/types.js";

/** The same as v1alpha2, with a list of strategies. */
export const coordinationV1alpha1Types: TypePackage = siblingVersion(
  "coordination/v1alpha1",
  coordinationV1alpha2Types,
  () => ({
    changed: {
      LeaseCandidateSpec: {
        fields: {
          binaryVersion: { omitempty: true, optional: true },
          strategy: false,
          preferredStrategies: {
            number: 6,
            type: "string",
            list: true,
            omitempty: true,
            required: true,
            listType: "atomic",
            featureGate: "CoordinatedLeaderElection",
          },
        },
      },
    },
  }),
);
