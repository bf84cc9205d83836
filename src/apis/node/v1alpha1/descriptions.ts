import { type TypeDescriptions, withDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import {
  nodeV1Descriptions,
  runtimeHandler,
  runtimeOverhead,
  runtimeScheduling,
} from "../v1/descriptions.js";

export const nodeV1alpha1Descriptions: TypeDescriptions = withDescriptions(nodeV1Descriptions, {
  RuntimeClass: {
    fields: {
      spec: "How containers of the class are run, and where.",
    },
  },
  RuntimeClassSpec: {
    about: "How containers of a runtime class are run, and where.",
    fields: { overhead: runtimeOverhead, runtimeHandler, scheduling: runtimeScheduling },
  },
});
