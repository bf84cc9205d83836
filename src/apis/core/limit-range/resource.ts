import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { LimitRange } from "../../gen/core-v1.js";
import { setLimitRangeDefaults } from "./defaults.js";
import { limitRangeErrors } from "./validation.js";

export function limitRanges(context: ApiContext): ResourceDefinition<LimitRange> {
  const { naming } = context;
  return defineResource<LimitRange>({
    group: "",
    resource: "limitranges",
    kind: "LimitRange",
    namespaced: true,
    shortNames: ["limits"],
    versions: [
      hub<LimitRange>(context, {
        version: "v1",
        type: "core/v1.LimitRange",
        setDefaults: setLimitRangeDefaults,
      }),
    ],
    storage: { version: "v1", prefix: "/limitranges" },
    strategy: strategy<LimitRange>({
      allowCreateOnUpdate: true,
      prepareForCreate(_context, { metadata }) {
        // A limit range may have no name; it gets its uid as one.
        if ((metadata.name ?? "") === "" && (metadata.generateName ?? "") === "")
          metadata.name = metadata.uid;
      },
      validate: (_context, object) => limitRangeErrors(naming, object),
      validateUpdate: (_context, object) => limitRangeErrors(naming, object),
    }),
  });
}
