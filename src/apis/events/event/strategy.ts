import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { nameIsPathSegment } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import type { Strategy, WriteContext } from "../../definition/strategy.js";
import type { Event } from "../../gen/core-v1.js";
import { validateEvent, validateStrictEvent, validateStrictEventUpdate } from "./validation.js";

/** The core group and the first version of the events group stay lenient; newer versions are strict. */
export function eventStrategy(context: ApiContext, through: "legacy" | "group"): Strategy<Event> {
  const { eventTtlSeconds } = context.options;
  const namesOwnField = through === "legacy" && isAtLeast(context.level, "1.25");
  const rules = {
    systemNamespace: context.naming.systemNamespace,
    controllerField: namesOwnField ? "reportingComponent" : "reportingController",
  };
  const isStrict = ({ version }: WriteContext): boolean => through === "group" && version !== "v1beta1";
  return strategy<Event>({
    validateName: nameIsPathSegment,
    validatesMetadataLast: true,
    allowCreateOnUpdate: true,
    validate: (write, object) => [
      ...validateEvent(object, rules),
      ...(isStrict(write) ? validateStrictEvent(object) : []),
    ],
    validateUpdate: (write, object, old) => [
      ...validateEvent(object, rules),
      // As in Kubernetes, where 1.23 compares an event with itself.
      ...(isStrict(write)
        ? validateStrictEventUpdate(object, isAtLeast(context.level, "1.24") ? old : object)
        : []),
    ],
    defaultPropagation: () => "unsupported",
    ttlSeconds: () => eventTtlSeconds,
  });
}
