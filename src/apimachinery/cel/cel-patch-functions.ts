import { define } from "./cel-function.js";
import { callEstimates } from "./estimated-cost.js";

/** Source: Kubernetes documentation, "Mutating Admission Policy", "JSONPatch". */
export const patchFunctions = [
  define(
    "jsonpatch::escapeKey(string): string",
    ([text]: string[]) => (text ?? "").replaceAll("~", "~0").replaceAll("/", "~1"),
    { cost: ([size = 0]) => 1 + size * 0.1, estimate: callEstimates.scan },
  ),
];
