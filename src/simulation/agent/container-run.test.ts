import { expect, test } from "vitest";
import type { Pod } from "../../apis/gen/core-v1.js";
import { BehaviourRules } from "../behaviour/behaviour-rules.js";
import { defaultSettings } from "../machinery/settings.js";
import { PodRun } from "./pod-run.js";

const start = Date.UTC(2021, 11, 7);
const parts = { settings: defaultSettings, rules: new BehaviourRules(), isEnabled: () => false };
const addresses = { hostIp: "172.20.0.1", podIp: "10.1.0.1" };

function podWith(annotations: Readonly<Record<string, string>>, spec: Partial<Pod["spec"]> = {}): Pod {
  const named = Object.entries(annotations).map(([name, value]) => [`simulation.orch.io/${name}`, value]);
  return {
    metadata: { name: "a", namespace: "b", uid: "u", annotations: Object.fromEntries(named) },
    spec: { containers: [{ name: "app", image: "app:1", resources: {} }], ...spec },
    status: {},
  };
}

/** The pod's state `seconds` after its start, with the reasons of its events. */
function after(pod: Pod, ...seconds: readonly number[]) {
  const run = new PodRun(pod, parts, start);
  const reasons: string[] = [];
  let now = start;
  for (const second of [0, ...seconds]) {
    now = start + second * 1000;
    run.advance(pod, now, ({ reason }) => reasons.push(reason));
  }
  const status = run.status(pod, addresses, now);
  return { status, reasons, container: status.containerStatuses?.[0] };
}

test("a pod runs and is ready at once, where nothing says otherwise", () => {
  const { status, reasons } = after(podWith({}));
  expect(status).toMatchObject({ phase: "Running", podIP: "10.1.0.1", startTime: "2021-12-07T00:00:00Z" });
  expect(status.conditions?.map(({ type, status: is }) => `${type}=${is}`)).toEqual([
    "Initialized=True",
    "Ready=True",
    "ContainersReady=True",
    "PodScheduled=True",
  ]);
  expect(reasons).toEqual(["Pulled", "Created", "Started"]);
});

test("a container that runs already ends when it is told to, not before that", () => {
  const running = { ...podWith({}), status: after(podWith({})).status };
  const told = { ...running, metadata: podWith({ "exit-code": "1" }).metadata };
  const hourLater = start + 3_600_000;
  const run = new PodRun(told, parts, hourLater);
  run.advance(told, hourLater, () => undefined);
  const [container] = run.status(told, addresses, hourLater).containerStatuses ?? [];
  expect(container?.lastState.terminated).toMatchObject({
    exitCode: 1,
    finishedAt: "2021-12-07T01:00:00Z",
  });
  expect(container?.state.waiting?.message).toBe("back-off 10s restarting failed container=app");
});

test("an image takes its time", () => {
  const pod = podWith({ pull: "3s" });
  expect(after(pod, 2).status.phase).toBe("Pending");
  expect(after(pod, 2).container?.state.waiting?.reason).toBe("ContainerCreating");
  expect(after(pod, 2, 3).status.phase).toBe("Running");
});

test("a container ends with 137 after three seconds, starts again at once, and then after pauses that double", () => {
  const pod = podWith({ "exit-code": "137", "exit-after": "3s" });
  const once = after(pod, 3).container;
  expect(once).toMatchObject({
    restartCount: 1,
    lastState: { terminated: { exitCode: 137, reason: "OOMKilled" } },
  });
  const twice = after(pod, 3, 6).container;
  expect(twice?.state.waiting).toEqual({
    reason: "CrashLoopBackOff",
    message: "back-off 10s restarting failed container=app",
  });
  expect(after(pod, 3, 6, 16).container).toMatchObject({ restartCount: 2, ready: true });
  expect(after(pod, 3, 6, 16, 19).container?.state.waiting?.message).toContain("back-off 20s");
});

test("a container that crashes once runs on", () => {
  const { container } = after(podWith({ "exit-code": "1,run" }), 1, 100);
  expect(container).toMatchObject({ restartCount: 1, ready: true });
});

test("an image that cannot be pulled is tried again", () => {
  const pod = podWith({ "pull-error": "not found" });
  expect(after(pod).container?.state.waiting).toEqual({ reason: "ErrImagePull", message: "not found" });
  expect(after(pod, 1).container?.state.waiting?.reason).toBe("ImagePullBackOff");
  expect(after(pod, 1, 11).container?.state.waiting?.reason).toBe("ErrImagePull");
});

test("init containers come one after another, sidecars before what they serve", () => {
  const init = (name: string, more: object = {}) => ({ name, image: "i", resources: {}, ...more });
  const spec = { initContainers: [init("first"), init("proxy", { restartPolicy: "Always" }), init("last")] };
  const pod = podWith({ "first.exit-after": "2s", "first.exit-code": "0" }, spec);
  const early = after(pod, 1).status;
  expect(early.phase).toBe("Pending");
  expect(early.conditions?.find(({ type }) => type === "Initialized")).toMatchObject({
    status: "False",
    message: "containers with incomplete status: [first proxy last]",
  });
  const late = after(pod, 2).status;
  expect(late.phase).toBe("Running");
  expect(late.initContainerStatuses?.map(({ state }) => Object.keys(state)[0])).toEqual([
    "terminated",
    "running",
    "terminated",
  ]);
});

test("a pod that is not restarted succeeds or fails", () => {
  const never = { restartPolicy: "Never" as const };
  expect(after(podWith({}, never), 1).status.phase).toBe("Succeeded");
  expect(after(podWith({ "exit-code": "1" }, never), 1).status.phase).toBe("Failed");
  const late = after(podWith({}, { activeDeadlineSeconds: 5 }), 5).status;
  expect(late).toMatchObject({ phase: "Failed", reason: "DeadlineExceeded" });
});

test("a failing liveness probe restarts its container, a failing readiness probe does not", () => {
  const probe = { periodSeconds: 10, failureThreshold: 3 };
  const container = { name: "app", image: "a", resources: {}, livenessProbe: probe, readinessProbe: probe };
  const dying = after(podWith({ liveness: "fail after 5s" }, { containers: [container] }), 34, 35);
  expect(dying.container).toMatchObject({ restartCount: 1 });
  expect(dying.reasons).toContain("Unhealthy");
  const unready = after(podWith({ readiness: "fail after 5s" }, { containers: [container] }), 4, 5);
  expect(unready.container).toMatchObject({ restartCount: 0, ready: false });
});

test("a gate keeps a pod from being ready until its condition is true", () => {
  const pod = podWith({}, { readinessGates: [{ conditionType: "example.com/open" }] });
  const ready = () => after(pod).status.conditions?.find(({ type }) => type === "Ready");
  expect(ready()).toMatchObject({ status: "False", reason: "ReadinessGatesNotReady" });
  pod.status.conditions = [{ type: "example.com/open", status: "True" }];
  expect(ready()?.status).toBe("True");
});

test("an ephemeral container runs once it is added, and is stopped with the pod's own", () => {
  const pod = podWith({ "exit-code": "1", "exit-after": "10s" }, { restartPolicy: "Never" });
  const run = new PodRun(pod, parts, start);
  const told: string[] = [];
  const advance = (now: number, seen: Pod): Pod["status"] => {
    run.advance(seen, now, ({ reason, fieldPath }) => told.push(`${reason} ${fieldPath}`));
    return run.status(seen, addresses, now);
  };
  advance(start, pod);
  told.length = 0;
  const ephemeralContainers = [{ name: "debug", image: "tools", resources: {} }];
  const debugged = { ...pod, spec: { ...pod.spec, ephemeralContainers } };
  const [status] = advance(start + 2000, debugged).ephemeralContainerStatuses ?? [];
  expect(status).toMatchObject({
    name: "debug",
    image: "tools",
    ready: false,
    restartCount: 0,
    state: { running: { startedAt: "2021-12-07T00:00:02Z" } },
  });
  expect(told).toEqual(
    ["Pulled", "Created", "Started"].map((what) => `${what} spec.ephemeralContainers{debug}`),
  );
  const ended = advance(start + 10_000, debugged);
  expect([ended.phase, ended.ephemeralContainerStatuses?.[0]?.state.terminated?.exitCode]).toEqual([
    "Failed",
    137,
  ]);
});
