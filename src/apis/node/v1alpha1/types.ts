import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { nodeV1beta1Types } from "../v1beta1/types.js";

/** Runtime classes have a spec. */
export const nodeV1alpha1Types: TypePackage = siblingVersion("node/v1alpha1", nodeV1beta1Types, () => ({
  changed: {
    RuntimeClass: {
      fields: {
        handler: false,
        overhead: false,
        scheduling: false,
        spec: { number: 2, type: "node/v1alpha1.RuntimeClassSpec" },
      },
    },
  },
  types: {
    RuntimeClassSpec: {
      fields: {
        runtimeHandler: { number: 1, type: "string" },
        overhead: {
          number: 2,
          type: "node/v1alpha1.Overhead",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        scheduling: {
          number: 3,
          type: "node/v1alpha1.Scheduling",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
  },
}));
