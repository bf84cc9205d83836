import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { flowcontrolV1Types } from "../v1/types.js";

/** The same as v1, where 0 shares mean unset. */
export const flowcontrolV1beta3Types: TypePackage = siblingVersion(
  "flowcontrol/v1beta3",
  flowcontrolV1Types,
  () => ({
    changed: {
      LimitedPriorityLevelConfiguration: {
        fields: { nominalConcurrencyShares: { pointer: undefined, omitempty: undefined } },
      },
      PriorityLevelConfigurationSpec: { fields: { exempt: { since: "1.28" } } },
    },
  }),
);
