import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { eventsV1Types } from "../v1/types.js";

/** The same as v1, with fewer required fields. */
export const eventsV1beta1Types: TypePackage = siblingVersion("events/v1beta1", eventsV1Types, () => ({
  changed: {
    Event: {
      fields: {
        reportingController: { optional: true },
        reportingInstance: { optional: true },
        action: { optional: true },
        reason: { optional: true },
        type: { optional: true },
      },
    },
  },
}));
