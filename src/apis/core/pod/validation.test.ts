import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { podValidationOptions } from "../pod-spec/validation-options.js";
import { validatePodCreate } from "./validation.js";

const context = testApiContext();

function errorsOf(spec: JsonObject): string[] {
  const pod = testPod(context, spec);
  return errorTexts(validatePodCreate(pod, podValidationOptions(context, pod)));
}

const token = { volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] };

test.each<[JsonObject, string[]]>([
  [{}, []],
  [{ ...token, serviceAccountName: "sa" }, []],
  [
    token,
    [
      "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set",
    ],
  ],
  [
    { containers: [{ name: "a", image: "a " }], initContainers: [{ name: "b", image: " b" }] },
    [
      'spec.containers[0].image: Invalid value: "a ": must not have leading or trailing whitespace',
      'spec.initContainers[0].image: Invalid value: " b": must not have leading or trailing whitespace',
    ],
  ],
  [
    { ephemeralContainers: [{ name: "e", image: "e" }] },
    ["spec.ephemeralContainers: Forbidden: cannot be set on create"],
  ],
])("%j: %j", (spec, expected) => {
  expect(errorsOf(spec)).toEqual(expected);
});
