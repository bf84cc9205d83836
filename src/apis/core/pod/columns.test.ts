import { expect, test } from "vitest";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { ContainerState, ContainerStatus, Pod, PodStatus } from "../../gen/core-v1.js";
import { testApiContext } from "../../testing/api-context.js";
import { testPod } from "../../testing/pod-fixture.js";
import { podColumns } from "./columns.js";

const columns = podColumns("1.23");
const context = testApiContext();
const now = new Date("2022-01-01T01:00:00Z");

function container(state: ContainerState, changes: Partial<ContainerStatus> = {}): ContainerStatus {
  return {
    name: "c",
    state,
    lastState: {},
    ready: false,
    restartCount: 0,
    image: "",
    imageID: "",
    ...changes,
  };
}

function podWith(status: PodStatus, metadata: Partial<Pod["metadata"]> = {}): Pod {
  const two = [
    { name: "a", image: "a" },
    { name: "b", image: "b" },
  ];
  const pod = testPod(context, { containers: two, initContainers: two });
  pod.status = status;
  pod.metadata = { ...pod.metadata, creationTimestamp: "2022-01-01T00:00:00Z", ...metadata };
  return pod;
}

const up = container({ running: {} }, { ready: true });
const done = container({ terminated: { exitCode: 0, reason: "Completed" } });

test.each<[string, PodStatus, (string | number)[]]>([
  ["nothing known", {}, ["0/2", "", "0"]],
  ["pending", { phase: "Pending" }, ["0/2", "Pending", "0"]],
  ["a reason of its own", { phase: "Failed", reason: "Evicted" }, ["0/2", "Evicted", "0"]],
  ["running", { phase: "Running", containerStatuses: [up, up] }, ["2/2", "Running", "0"]],
  [
    "one not ready",
    { phase: "Running", containerStatuses: [up, container({ running: {} }, { restartCount: 3 })] },
    ["1/2", "Running", "3"],
  ],
  [
    "the first waiting container says why",
    {
      phase: "Pending",
      containerStatuses: [
        container({ waiting: { reason: "ErrImagePull" } }),
        container({ waiting: { reason: "ContainerCreating" } }),
      ],
    },
    ["0/2", "ErrImagePull", "0"],
  ],
  [
    "restarted",
    {
      phase: "Running",
      containerStatuses: [
        container(
          { waiting: { reason: "CrashLoopBackOff" } },
          {
            restartCount: 4,
            lastState: { terminated: { exitCode: 1, finishedAt: "2022-01-01T00:55:00Z" } },
          },
        ),
        container(
          { running: {} },
          {
            ready: true,
            restartCount: 1,
            lastState: { terminated: { exitCode: 1, finishedAt: "2022-01-01T00:30:00Z" } },
          },
        ),
      ],
    },
    ["1/2", "CrashLoopBackOff", "5 (5m ago)"],
  ],
  ["ended", { phase: "Succeeded", containerStatuses: [done, done] }, ["0/2", "Completed", "0"]],
  [
    "ended by a signal",
    { phase: "Failed", containerStatuses: [container({ terminated: { exitCode: 137, signal: 9 } })] },
    ["0/2", "Signal:9", "0"],
  ],
  [
    "ended with an exit code",
    { phase: "Failed", containerStatuses: [container({ terminated: { exitCode: 2 } })] },
    ["0/2", "ExitCode:2", "0"],
  ],
  [
    "one ended, one ready",
    { phase: "Running", containerStatuses: [done, up], conditions: [{ type: "Ready", status: "True" }] },
    ["1/2", "Running", "0"],
  ],
  [
    "one ended, the pod not ready",
    { phase: "Running", containerStatuses: [done, up] },
    ["1/2", "NotReady", "0"],
  ],
  [
    "initializing",
    { phase: "Pending", initContainerStatuses: [done, container({ running: {} })], containerStatuses: [up] },
    ["0/2", "Init:1/2", "0"],
  ],
  [
    "the first init container is starting",
    { phase: "Pending", initContainerStatuses: [container({ waiting: { reason: "PodInitializing" } })] },
    ["0/2", "Init:0/2", "0"],
  ],
  [
    "an init container keeps failing",
    {
      phase: "Pending",
      initContainerStatuses: [
        container(
          { waiting: { reason: "CrashLoopBackOff" } },
          { restartCount: 2, lastState: { terminated: { exitCode: 1, finishedAt: "2022-01-01T00:59:30Z" } } },
        ),
      ],
    },
    ["0/2", "Init:CrashLoopBackOff", "2 (30s ago)"],
  ],
  [
    "an init container failed",
    { phase: "Failed", initContainerStatuses: [container({ terminated: { exitCode: 1, reason: "Error" } })] },
    ["0/2", "Init:Error", "0"],
  ],
  [
    "an init container failed without a reason",
    { phase: "Failed", initContainerStatuses: [container({ terminated: { exitCode: 1 } })] },
    ["0/2", "Init:ExitCode:1", "0"],
  ],
  [
    "an init container got a signal",
    { phase: "Failed", initContainerStatuses: [container({ terminated: { exitCode: 1, signal: 15 } })] },
    ["0/2", "Init:Signal:15", "0"],
  ],
])("%s", (_what, status, expected) => {
  expect(columns.cells(podWith(status), now).slice(0, 5)).toEqual(["web", ...expected, "60m"]);
});

test("what init containers failed is forgotten once containers run, since 1.28", () => {
  const failed = { terminated: { exitCode: 1, finishedAt: "2022-01-01T00:55:00Z" } };
  const initialized = container(
    { terminated: { exitCode: 0, reason: "Completed" } },
    { restartCount: 1, lastState: failed },
  );
  const pod = podWith({
    phase: "Running",
    initContainerStatuses: [initialized],
    containerStatuses: [up, up],
  });
  const shown = (level: ApiLevel): unknown => podColumns(level).cells(pod, now)[3];
  expect(shown("1.27")).toBe("0 (5m ago)");
  expect(shown("1.28")).toBe("0");
});

test("containers of an initialized pod count though an init container runs, since 1.28", () => {
  const pod = podWith({
    phase: "Running",
    initContainerStatuses: [container({ running: {} }, { restartCount: 2 })],
    containerStatuses: [up, up],
    conditions: [{ type: "Initialized", status: "True" }],
  });
  const shown = (level: ApiLevel): unknown[] => podColumns(level).cells(pod, now).slice(1, 4);
  expect(shown("1.27")).toEqual(["0/2", "Init:0/2", "2"]);
  expect(shown("1.28")).toEqual(["2/2", "Init:0/2", "0"]);
});

test("restarts of sidecars count as far as init containers have come", () => {
  const lastState = (finishedAt: string): Pick<ContainerStatus, "lastState"> => ({
    lastState: { terminated: { exitCode: 1, finishedAt } },
  });
  const running = { running: {} };
  const pod = podWith({
    phase: "Running",
    initContainerStatuses: [
      container(running, {
        name: "a",
        started: true,
        ready: true,
        restartCount: 3,
        ...lastState("2022-01-01T00:50:00Z"),
      }),
      container({ waiting: { reason: "x" } }, { name: "b" }),
      container(running, { name: "c", restartCount: 4, ...lastState("2022-01-01T00:59:00Z") }),
    ],
    containerStatuses: [up, up],
    conditions: [{ type: "Initialized", status: "True" }],
  });
  pod.spec.initContainers = ["a", "b", "c"].map((name) => ({
    ...pod.spec.containers?.[0],
    name,
    resources: {},
    restartPolicy: "Always",
  }));
  expect(podColumns("1.28").cells(pod, now).slice(1, 4)).toEqual(["3/5", "Init:x", "3 (10m ago)"]);
});

test("a pod that is being deleted is terminating, or unknown where its node is lost", () => {
  const metadata = { deletionTimestamp: "2022-01-01T00:59:00Z" };
  const cells = (status: PodStatus): unknown[] => columns.cells(podWith(status, metadata), now);
  expect(cells({ phase: "Running", containerStatuses: [up, up] })[2]).toBe("Terminating");
  expect(cells({ phase: "Running", reason: "NodeLost" })[2]).toBe("Unknown");
});

test("a pod that ended tells how while it is being deleted, since 1.31", () => {
  const metadata = { deletionTimestamp: "2022-01-01T00:59:00Z" };
  const shown = (level: ApiLevel, status: PodStatus): unknown =>
    podColumns(level).cells(podWith(status, metadata), now)[2];
  expect(shown("1.30", { phase: "Failed", reason: "Evicted" })).toBe("Terminating");
  expect(shown("1.31", { phase: "Failed", reason: "Evicted" })).toBe("Evicted");
  expect(shown("1.31", { phase: "Succeeded" })).toBe("Succeeded");
  expect(shown("1.31", { phase: "Failed", reason: "NodeLost" })).toBe("Unknown");
  expect(shown("1.31", { phase: "Running" })).toBe("Terminating");
});

test("a container that failed shows behind one that completed, since 1.35", () => {
  const done = container({ terminated: { exitCode: 0, reason: "Completed" } });
  const failed = container({ terminated: { exitCode: 1, reason: "Error" } });
  const killed = container({ terminated: { exitCode: 9, signal: 9 } });
  const ready = [{ type: "Ready", status: "True" }];
  const shown = (level: ApiLevel, status: PodStatus): unknown =>
    podColumns(level).cells(podWith(status), now)[2];
  expect(shown("1.34", { containerStatuses: [done, failed] })).toBe("Completed");
  expect(shown("1.34", { containerStatuses: [done, failed, up] })).toBe("NotReady");
  expect(shown("1.35", { containerStatuses: [done, failed] })).toBe("Error");
  expect(shown("1.35", { containerStatuses: [done, failed, up] })).toBe("Error");
  expect(shown("1.35", { containerStatuses: [done, killed, failed] })).toBe("Signal:9");
  expect(shown("1.35", { containerStatuses: [done, failed, up], conditions: ready })).toBe("Running");
  expect(shown("1.35", { containerStatuses: [done, up] })).toBe("NotReady");
  expect(shown("1.35", { containerStatuses: [done, done] })).toBe("Completed");
});

test("the wide columns", () => {
  const pod = podWith({
    podIPs: [{ ip: "10.0.0.1" }, { ip: "::1" }],
    nominatedNodeName: "m",
    conditions: [
      { type: "example.com/a", status: "True" },
      { type: "example.com/b", status: "False" },
    ],
  });
  expect(columns.cells(podWith({}), now).slice(5)).toEqual(["<none>", "<none>", "<none>", "<none>"]);
  pod.spec.nodeName = "n";
  pod.spec.readinessGates = [{ conditionType: "example.com/a" }, { conditionType: "example.com/b" }];
  expect(columns.cells(pod, now).slice(5)).toEqual(["10.0.0.1", "n", "m", "1/2"]);
  expect(columns.columns).toHaveLength(9);
});

test("rows of finished pods are marked", () => {
  const reasons = ["Succeeded", "Failed", "Running"].map((phase) =>
    columns.conditions?.(podWith({ phase })).map(({ type, status, reason }) => [type, status, reason]),
  );
  expect(reasons).toEqual([[["Completed", "True", "Succeeded"]], [["Completed", "True", "Failed"]], []]);
});
