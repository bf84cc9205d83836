import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { podValidationOptions } from "../pod-spec/validation-options.js";
import { validatePodUpdate } from "./update-validation.js";

const context = testApiContext();

function errorsOf(
  before: JsonObject,
  after: JsonObject,
  annotations: { before?: JsonObject; after?: JsonObject } = {},
): string[] {
  const old = testPod(context, before, { annotations: annotations.before ?? {} });
  const pod = testPod(context, after, { annotations: annotations.after ?? {} });
  return errorTexts(validatePodUpdate(pod, old, podValidationOptions(context, pod, old)));
}

const app = { name: "app", image: "app:1" };
const toleration = { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 1 };
const immutable =
  "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only additions to existing tolerations) or `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n";

test.each<[JsonObject, JsonObject]>([
  [{}, {}],
  [
    { containers: [{ ...app, imagePullPolicy: "Always" }] },
    { containers: [{ ...app, image: "b", imagePullPolicy: "Always" }] },
  ],
  [
    { initContainers: [{ ...app, name: "i", imagePullPolicy: "Always" }] },
    { initContainers: [{ name: "i", image: "c", imagePullPolicy: "Always" }] },
  ],
  [{}, { activeDeadlineSeconds: 5 }],
  [{ activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 4 }],
  [{ tolerations: [toleration] }, { tolerations: [{ key: "b", operator: "Exists" }, toleration] }],
  [{ tolerations: [toleration] }, { tolerations: [{ ...toleration, tolerationSeconds: 9 }] }],
  [{ terminationGracePeriodSeconds: -1 }, { terminationGracePeriodSeconds: 1 }],
])("%j may become %j", (before, after) => {
  expect(errorsOf(before, after)).toEqual([]);
});

test.each<[JsonObject, JsonObject, unknown[]]>([
  [
    {},
    { containers: [app, { name: "b", image: "b" }] },
    ["spec.containers: Forbidden: pod updates may not add or remove containers"],
  ],
  [
    { initContainers: [{ name: "i", image: "i" }] },
    {},
    ["spec.initContainers: Forbidden: pod updates may not add or remove containers"],
  ],
  [
    { activeDeadlineSeconds: 5 },
    {},
    [
      'spec.activeDeadlineSeconds: Invalid value: "null": must not update from a positive integer to nil value',
    ],
  ],
  [
    { activeDeadlineSeconds: 5 },
    { activeDeadlineSeconds: 6 },
    ["spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value"],
  ],
  [
    { tolerations: [toleration] },
    { tolerations: [{ ...toleration, effect: "NoExecute", key: "b" }] },
    ["spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds"],
  ],
  [{ nodeName: "a" }, { nodeName: "b" }, [`${immutable}  {\n- \tnodeName: "b"\n+ \tnodeName: "a"\n  }`]],
  [
    {},
    { containers: [{ ...app, args: ["x", "y"] }], hostIPC: true },
    [
      `${immutable}  {\n  \tcontainers: [\n  \t\t0: {\n- \t\t\targs: []string{"x", "y"}\n  \t\t}\n  \t]\n- \thostIPC: true\n  }`,
    ],
  ],
  [
    { terminationGracePeriodSeconds: 5 },
    { terminationGracePeriodSeconds: 1 },
    [expect.stringContaining(`${immutable}  {\n- \tterminationGracePeriodSeconds: 1`)],
  ],
])("%j may not become %j", (before, after, expected) => {
  expect(errorsOf(before, after)).toEqual(expected);
});

test("annotations that node agents act upon stay", () => {
  const appArmor = "container.apparmor.security.beta.kubernetes.io/app";
  const mirror = "kubernetes.io/config.mirror";
  const spec = { nodeName: "n" };
  expect(errorsOf(spec, spec, { before: { a: "1" }, after: { a: "2", b: "3" } })).toEqual([]);
  expect(errorsOf(spec, spec, { after: { [appArmor]: "unconfined", [mirror]: "x" } })).toEqual([
    `metadata.annotations[${appArmor}]: Forbidden: may not add AppArmor annotations`,
    `metadata.annotations[${mirror}]: Forbidden: may not add mirror pod annotation`,
  ]);
  expect(
    errorsOf(spec, spec, { before: { [appArmor]: "unconfined", [mirror]: "x" }, after: { [mirror]: "y" } }),
  ).toEqual([
    `metadata.annotations[${appArmor}]: Forbidden: may not remove or update AppArmor annotations`,
    `metadata.annotations[${mirror}]: Forbidden: may not remove or update mirror pod annotation`,
  ]);
});

test("what an update changes is shown line by line, in the names of Go, since 1.34", () => {
  const changeAt = (level: ApiLevel): string => {
    const later = testApiContext({ level });
    const [old, pod] = [testPod(later, { hostname: "a" }), testPod(later, { hostname: "b" })];
    const [error = ""] = errorTexts(validatePodUpdate(pod, old, podValidationOptions(later, pod, old)));
    return error.slice(error.indexOf("\n") + 1);
  };
  expect(changeAt("1.33")).toBe('  {\n- \thostname: "a"\n+ \thostname: "b"\n  }');
  expect(changeAt("1.34").replace(/^@@.*@@\n/, "")).toBe(
    [
      '   "SELinuxChangePolicy": null',
      "  },",
      '  "ImagePullSecrets": null,',
      '- "Hostname": "a",',
      '+ "Hostname": "b",',
      '  "Subdomain": "",',
      '  "SetHostnameAsFQDN": null,',
      '  "Affinity": null,',
      "",
    ].join("\n"),
  );
});
