import { type TypeDescriptions, withDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import { batchV1Descriptions } from "../v1/descriptions.js";

export const batchV1beta1Descriptions: TypeDescriptions = withDescriptions(batchV1Descriptions, {
  JobTemplate: {
    about: "A kept description of jobs to make.",
    fields: { template: "What jobs made from it look like." },
  },
});
