import { expect, test } from "vitest";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { validatePodAnnotations, validateSeccompAgreement } from "./annotation-validation.js";
import { podValidationOptions } from "./validation-options.js";

const context = testApiContext();

function errorsOf(annotations: JsonObject, spec: JsonObject = {}): string[] {
  const pod = testPod(context, spec, { annotations });
  const options = podValidationOptions(context, pod);
  return errorTexts([
    ...validatePodAnnotations(pod, FieldPath.of("annotations"), options),
    ...validateSeccompAgreement(pod, FieldPath.of("spec"), options),
  ]);
}

const seccomp = "seccomp.security.alpha.kubernetes.io/pod";
const seccompApp = "container.seccomp.security.alpha.kubernetes.io/app";
const appArmor = "container.apparmor.security.beta.kubernetes.io";
const cost = "controller.kubernetes.io/pod-deletion-cost";
const tolerations = "scheduler.alpha.kubernetes.io/tolerations";

test.each<JsonObject>([
  { [seccomp]: "runtime/default", [seccompApp]: "localhost/a/b.json" },
  { [`${appArmor}/app`]: "localhost/profile" },
  { [cost]: "-10" },
  { [cost]: "0" },
  { [tolerations]: '[{"key":"a","operator":"Exists"}]' },
])("%j is fine", (annotations) => {
  expect(errorsOf(annotations)).toEqual([]);
});

test.each<[JsonObject, unknown[]]>([
  [
    { "kubernetes.io/config.mirror": "x" },
    [
      'annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
    ],
  ],
  [{ [cost]: "+1" }, [`annotations[${cost}]: Invalid value: "+1": must be a 32bit integer`]],
  [{ [cost]: "008" }, [`annotations[${cost}]: Invalid value: "008": must be a 32bit integer`]],
  [{ [cost]: "2147483648" }, [`annotations[${cost}]: Invalid value: "2147483648": must be a 32bit integer`]],
  [{ [seccomp]: "odd" }, [`annotations.${seccomp}: Invalid value: "odd": must be a valid seccomp profile`]],
  [
    { [seccompApp]: "localhost//a" },
    [`annotations.${seccompApp}: Invalid value: "/a": must be a relative path`],
  ],
  [
    { [`${appArmor}/none`]: "odd" },
    [
      `annotations[${appArmor}/none]: Invalid value: "none": container not found`,
      `annotations[${appArmor}/none]: Invalid value: "odd": invalid AppArmor profile name: "odd"`,
    ],
  ],
  [{ [tolerations]: "{" }, [expect.stringContaining(`annotations: Invalid value: "${tolerations}"`)]],
  [
    { [tolerations]: '[{"effect":"Odd","operator":"Exists"}]' },
    [
      `annotations.${tolerations}[0].effect: Unsupported value: "Odd": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
    ],
  ],
])("%j: %j", (annotations, expected) => {
  expect(errorsOf(annotations)).toEqual(expected);
});

test.each([
  ["runtime/default", { type: "RuntimeDefault" }, []],
  ["docker/default", { type: "RuntimeDefault" }, []],
  ["localhost/a", { type: "Localhost", localhostProfile: "a" }, []],
  [
    "unconfined",
    { type: "RuntimeDefault" },
    ["type: Forbidden: seccomp type in annotation and field must match"],
  ],
  [
    "localhost/a",
    { type: "Localhost", localhostProfile: "b" },
    ["localhostProfile: Forbidden: seccomp profile in annotation and field must match"],
  ],
])("annotation %s beside the field %j: %j", (annotation, seccompProfile, expected) => {
  const spec = {
    securityContext: { seccompProfile },
    containers: [{ name: "app", image: "a", securityContext: { seccompProfile } }],
  };
  expect(errorsOf({ [seccomp]: annotation, [seccompApp]: annotation }, spec)).toEqual([
    ...expected.map((text) => `spec.securityContext.seccompProfile.${text}`),
    ...expected.map((text) => `spec.containers[0].securityContext.seccompProfile.${text}`),
  ]);
});
