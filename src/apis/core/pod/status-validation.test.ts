import { expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import type { ContainerState, ContainerStatus, Pod, PodStatus } from "../../gen/core-v1.js";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { podValidationOptions } from "../pod-spec/validation-options.js";
import { validatePodStatusUpdate } from "./status-validation.js";

const context = testApiContext();

function podWith(status: PodStatus, restartPolicy = "Always"): Pod {
  const pod = testPod(context, { restartPolicy });
  pod.status = status;
  return pod;
}

function errorsOf(before: PodStatus, after: PodStatus, restartPolicy?: string): string[] {
  const old = podWith(before, restartPolicy);
  const pod = podWith(after, restartPolicy);
  return errorTexts(validatePodStatusUpdate(pod, old, podValidationOptions(context, pod, old)));
}

function containers(state: ContainerState): ContainerStatus[] {
  return [{ name: "app", state, lastState: {}, ready: false, restartCount: 0, image: "app", imageID: "" }];
}

const running = containers({ running: {} });

test.each([
  ["Always", 1, []],
  ["OnFailure", 1, []],
  ["OnFailure", 0, ["Forbidden: may not be transitioned to non-terminated state"]],
  ["Never", 1, ["Forbidden: may not be transitioned to non-terminated state"]],
])("restart policy %s after exit code %i: %j", (policy, exitCode, expected) => {
  const ended = containers({ terminated: { exitCode } });
  const before = { containerStatuses: ended, initContainerStatuses: ended };
  const after = { containerStatuses: running, initContainerStatuses: running };
  expect(errorsOf(before, after, policy)).toEqual([
    ...expected.map((text) => `status.containerStatuses[0].state: ${text}`),
    ...expected.map((text) => `status.initContainerStatuses[0].state: ${text}`),
  ]);
  expect(errorsOf(after, before, policy)).toEqual([]);
});

test.each<[PodStatus, unknown[]]>([
  [{ podIPs: [{ ip: "1.1.1.1" }, { ip: "::1" }], nominatedNodeName: "n" }, []],
  [
    { podIPs: [{ ip: "x" }] },
    ['status.podIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    { podIPs: [{ ip: "1.1.1.1" }, { ip: "1.1.1.1" }] },
    [
      'status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"1.1.1.1"}, core.PodIP{IP:"1.1.1.1"}}: may specify no more than one IP for each IP family',
      'status.podIPs[1]: Duplicate value: core.PodIP{IP:"1.1.1.1"}',
    ],
  ],
  [{ nominatedNodeName: "N" }, [expect.stringContaining('status.nominatedNodeName: Invalid value: "N"')]],
  [
    {
      conditions: [
        { type: "Ready", status: "True" },
        { type: "a b", status: "True" },
      ],
    },
    [expect.stringContaining('metadata.conditions[1].Type: Invalid value: "a b"')],
  ],
])("status %j: %j", (status, expected) => {
  expect(errorsOf({}, status)).toEqual(expected);
});

test("what is wrong already does not keep the status from being written", () => {
  const status = { podIPs: [{ ip: "x" }], nominatedNodeName: "N" };
  expect(errorsOf(status, { ...status, phase: "Running" })).toEqual([]);
});

test("addresses are shown as JSON since 1.34", () => {
  const status = { podIPs: [{ ip: "1.1.1.1" }, { ip: "2.2.2.2" }] };
  expect(withErrorTextsOf(34, () => errorsOf({}, status))).toEqual([
    'status.podIPs: Invalid value: [{"IP":"1.1.1.1"},{"IP":"2.2.2.2"}]: may specify no more than one IP for each IP family',
  ]);
});
