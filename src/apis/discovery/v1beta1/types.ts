import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { discoveryV1Types } from "../v1/types.js";

/** Endpoints have labels of their node instead of a zone. */
export const discoveryV1beta1Types: TypePackage = siblingVersion(
  "discovery/v1beta1",
  discoveryV1Types,
  () => ({
    changed: {
      EndpointSlice: { fields: { addressType: { enum: undefined } } },
      Endpoint: {
        fields: {
          hints: { number: 7, featureGate: "TopologyAwareHints" },
          deprecatedTopology: { name: "topology" },
          zone: false,
        },
      },
      EndpointPort: { structType: undefined },
    },
  }),
);
