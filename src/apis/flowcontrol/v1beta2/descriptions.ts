import { type TypeDescriptions, withDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import { flowcontrolV1Descriptions } from "../v1/descriptions.js";

export const flowcontrolV1beta2Descriptions: TypeDescriptions = withDescriptions(flowcontrolV1Descriptions, {
  LimitedPriorityLevelConfiguration: {
    fields: {
      assuredConcurrencyShares:
        "The level's part of the requests that may run at a time, relative to other levels' shares; positive. Default: 30.",
    },
  },
});
