import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { flowcontrolV1Types } from "../v1/types.js";

/** The same as v1, with another name for the shares, where 0 means unset. */
export const flowcontrolV1beta2Types: TypePackage = siblingVersion(
  "flowcontrol/v1beta2",
  flowcontrolV1Types,
  () => ({
    changed: {
      FlowSchemaStatus: {
        fields: { conditions: { patchStrategy: undefined, patchMergeKey: undefined } },
      },
      PriorityLevelConfigurationStatus: {
        fields: { conditions: { patchStrategy: undefined, patchMergeKey: undefined } },
      },
      LimitedPriorityLevelConfiguration: {
        fields: {
          nominalConcurrencyShares: {
            name: "assuredConcurrencyShares",
            pointer: undefined,
            omitempty: undefined,
          },
          lendablePercent: { since: "1.26" },
          borrowingLimitPercent: { since: "1.26" },
        },
      },
      PriorityLevelConfigurationSpec: { fields: { exempt: { since: "1.28" } } },
    },
  }),
);
