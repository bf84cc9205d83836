import { expect, test } from "vitest";
import type { Job } from "../../apis/gen/batch-v1.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import { toRevision } from "../../storage/kv.js";
import { type PodView, podViewOf } from "../pods/pod-view.js";
import { countPods, jobEnd } from "./job-outcome.js";

const domain = "kubernetes.io";
const start = Date.UTC(2021, 11, 7);

function jobWith(spec: Partial<Job["spec"]>, status: Job["status"] = {}): Job {
  const template = { metadata: {}, spec: { restartPolicy: "Never" as const, containers: [] } };
  return { metadata: { name: "j", namespace: "ns" }, spec: { template, ...spec }, status };
}

let pods = 0;

/** A pod that ended, with the exit code of its container; without a code, it runs. */
function pod(
  exitCode?: number,
  more: { readonly index?: number; readonly condition?: string } = {},
): PodView {
  const name = `j-${++pods}`;
  const ended = exitCode !== undefined;
  const object: Pod = {
    metadata: {
      name,
      namespace: "ns",
      uid: name,
      ...(more.index !== undefined && {
        annotations: { [`batch.${domain}/job-completion-index`]: String(more.index) },
      }),
    },
    spec: { containers: [{ name: "app", image: "a", resources: {} }] },
    status: {
      phase: ended ? (exitCode === 0 ? "Succeeded" : "Failed") : "Running",
      conditions: [
        { type: "Ready", status: ended ? "False" : "True" },
        ...(more.condition === undefined ? [] : [{ type: more.condition, status: "True" }]),
      ],
      containerStatuses: [
        {
          name: "app",
          image: "a",
          imageID: "",
          ready: !ended,
          restartCount: 0,
          lastState: {},
          state: ended ? { terminated: { exitCode, finishedAt: "2021-12-07T00:00:05Z" } } : {},
        },
      ],
    },
  };
  const body = Buffer.alloc(0);
  return podViewOf({
    key: `ns/${name}`,
    revision: toRevision(1),
    labels: {},
    fields: {},
    body,
    decode: () => object,
  });
}

function endOf(spec: Partial<Job["spec"]>, ...views: readonly PodView[]) {
  const job = jobWith(spec, { startTime: "2021-12-07T00:00:00Z" });
  return jobEnd(job, countPods(job, views, domain), start + 10_000);
}

const indexed = { completionMode: "Indexed" as const, parallelism: 3 };

test("a job is complete with as many successes as it wants", () => {
  expect(endOf({ completions: 2 }, pod(0), pod())).toBeUndefined();
  expect(endOf({ completions: 2 }, pod(0), pod(0))).toMatchObject({ isComplete: true });
  // Without a number, one success is enough, once the others are done.
  expect(endOf({}, pod(0), pod())).toBeUndefined();
  expect(endOf({}, pod(0))).toMatchObject({ isComplete: true });
});

test("an index that succeeded twice counts once", () => {
  const spec = { ...indexed, completions: 2 };
  expect(endOf(spec, pod(0, { index: 0 }), pod(0, { index: 0 }))).toBeUndefined();
  expect(endOf(spec, pod(0, { index: 0 }), pod(0, { index: 1 }))).toMatchObject({ isComplete: true });
});

test("more failures than the limit of retries end a job", () => {
  expect(endOf({ completions: 1, backoffLimit: 1 }, pod(1))).toBeUndefined();
  expect(endOf({ completions: 1, backoffLimit: 1 }, pod(1), pod(1))).toMatchObject({
    isComplete: false,
    reason: "BackoffLimitExceeded",
  });
  const { ended } = countPods(jobWith({}), [pod(1), pod(2)], domain);
  expect([ended.failed, ended.retryAt]).toEqual([2, start + 5000 + 20_000]);
});

test("the limit of all retries holds beside those of indexes", () => {
  const spec = { ...indexed, completions: 3, backoffLimitPerIndex: 1, backoffLimit: 1 };
  expect(endOf(spec, pod(1, { index: 0 }))).toBeUndefined();
  expect(endOf(spec, pod(1, { index: 0 }), pod(1, { index: 1 }))).toMatchObject({
    reason: "BackoffLimitExceeded",
  });
});

test("containers that are restarted in their pod may do so as often as the limit says, less one", () => {
  const template = { metadata: {}, spec: { restartPolicy: "OnFailure" as const, containers: [] } };
  const spec = { template, completions: 1, backoffLimit: 2 };
  expect(endOf(spec, { ...pod(), restarts: 1 })).toBeUndefined();
  expect(endOf(spec, { ...pod(), restarts: 2 })).toMatchObject({ reason: "BackoffLimitExceeded" });
  expect(endOf({ ...spec, backoffLimit: 0 }, pod())).toBeUndefined();
  expect(endOf({ ...spec, backoffLimit: 0 }, { ...pod(), restarts: 1 })).toMatchObject({ isComplete: false });
});

test("indexes that a job no longer has count for nothing", () => {
  const job = jobWith({ ...indexed, completions: 1 }, { completedIndexes: "1-2", failedIndexes: "3" });
  const { ended, succeeded } = countPods(job, [pod(0, { index: 2 }), pod(1, { index: 1 })], domain);
  expect([succeeded, ended.failed, [...ended.failedIndexes]]).toEqual([0, 0, []]);
});

test("a job ends at its deadline", () => {
  expect(endOf({ activeDeadlineSeconds: 11n }, pod())).toBeUndefined();
  expect(endOf({ activeDeadlineSeconds: 10n }, pod())).toMatchObject({ reason: "DeadlineExceeded" });
});

test("the first rule that holds completes a job early", () => {
  const rules = [{ succeededIndexes: "0,2" }, { succeededIndexes: "0-1", succeededCount: 1 }];
  const spec = { ...indexed, completions: 3, successPolicy: { rules } };
  expect(endOf(spec, pod(0, { index: 2 }))).toBeUndefined();
  expect(endOf(spec, pod(0, { index: 1 }))).toEqual({
    isComplete: true,
    reason: "SuccessPolicy",
    message: "Matched rules at index 1",
  });
  expect(endOf(spec, pod(0, { index: 0 }), pod(0, { index: 2 }))?.message).toBe("Matched rules at index 0");
});

test("a failure policy fails the job, leaves a failure out, or fails its index", () => {
  const onExitCodes = (...values: number[]) => ({ operator: "In", values });
  const rules = [
    { action: "FailJob", onExitCodes: onExitCodes(42) },
    { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
    { action: "FailIndex", onExitCodes: onExitCodes(7) },
  ];
  const spec = { completions: 1, backoffLimit: 0, podFailurePolicy: { rules } };
  const bad = pod(42);
  expect(endOf(spec, bad)).toEqual({
    isComplete: false,
    reason: "PodFailurePolicy",
    message: `Container app for pod ns/${bad.name} failed with exit code 42 matching FailJob rule at index 0`,
  });
  const ignored = pod(1, { condition: "DisruptionTarget" });
  expect(endOf(spec, ignored)).toBeUndefined();
  expect(countPods(jobWith(spec), [ignored], domain).ended.failed).toBe(0);
  expect(endOf(spec, pod(1))).toMatchObject({ reason: "BackoffLimitExceeded" });
  const each = { ...indexed, completions: 2, backoffLimitPerIndex: 3, podFailurePolicy: { rules } };
  expect(endOf(each, pod(7, { index: 0 }))).toBeUndefined();
  expect(endOf(each, pod(7, { index: 0 }), pod(0, { index: 1 }))).toMatchObject({ reason: "FailedIndexes" });
});

test("each index has retries of its own, and only so many may fail", () => {
  const spec = { ...indexed, completions: 3, backoffLimitPerIndex: 1 };
  expect(endOf(spec, pod(1, { index: 0 }), pod(1, { index: 1 }))).toBeUndefined();
  const failed = [pod(1, { index: 0 }), pod(1, { index: 0 })];
  expect(endOf(spec, ...failed)).toBeUndefined();
  expect(endOf({ ...spec, maxFailedIndexes: 0 }, ...failed)).toMatchObject({
    reason: "MaxFailedIndexesExceeded",
  });
  expect(endOf(spec, ...failed, pod(0, { index: 1 }), pod(0, { index: 2 }))).toMatchObject({
    isComplete: false,
    reason: "FailedIndexes",
  });
});
