import { type TypeDescriptions, withDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import { discoveryV1Descriptions } from "../v1/descriptions.js";

export const discoveryV1beta1Descriptions: TypeDescriptions = withDescriptions(discoveryV1Descriptions, {
  Endpoint: {
    fields: {
      topology: "Labels of the node that tell where the endpoint is, such as its zone; 16 at most.",
    },
  },
});
