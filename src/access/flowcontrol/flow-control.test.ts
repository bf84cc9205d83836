import { expect, test } from "vitest";
import { type ApiLevel, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { RequestInfo, UserInfo } from "../../apimachinery/requests/request-info.js";
import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PriorityLevelConfigurationSpec,
  ResourcePolicyRule,
  Subject,
} from "../../apis/gen/flowcontrol-v1.js";
import type { Distribution } from "../../telemetry/distribution.js";
import { Metrics } from "../../telemetry/metrics.js";
import { FlowControl } from "./flow-control.js";
import { FlowControlMetrics } from "./flow-control-metrics.js";
import type { Seat, Work } from "./seat.js";
import { FakeClock } from "./testing/fake-clock.js";
import { oneSeat } from "./work-estimate.js";

function user(name: string, ...groups: string[]): UserInfo {
  return { name, uid: "", groups: [...groups, "system:authenticated"], extra: {} };
}

const admin = user("root", "system:masters");
const account = user("system:serviceaccount:a:b", "system:serviceaccounts");

function resource(changes: Partial<RequestInfo> = {}): RequestInfo {
  return {
    isResourceRequest: true,
    path: "/api/v1/namespaces/n/pods",
    verb: "list",
    apiPrefix: "api",
    apiGroup: "",
    apiVersion: "v1",
    namespace: "n",
    resource: "pods",
    subresource: "",
    name: "",
    parts: [],
    ...changes,
  };
}

function path(name: string, verb = "get"): RequestInfo {
  return { ...resource({ namespace: "", resource: "" }), isResourceRequest: false, path: name, verb };
}

function limited(shares: number): PriorityLevelConfigurationSpec {
  return {
    type: "Limited",
    limited: { nominalConcurrencyShares: shares, limitResponse: { type: "Reject" } },
  };
}

function schema(
  matchingPrecedence: number,
  level: string,
  subject: Subject,
  rule: ResourcePolicyRule | NonResourcePolicyRule = {
    verbs: ["*"],
    apiGroups: ["*"],
    resources: ["*"],
    clusterScope: true,
    namespaces: ["*"],
  },
): FlowSchemaSpec {
  return {
    matchingPrecedence,
    priorityLevelConfiguration: { name: level },
    distinguisherMethod: { type: "ByUser" },
    rules: [
      {
        subjects: [subject],
        ...("nonResourceURLs" in rule ? { nonResourceRules: [rule] } : { resourceRules: [rule] }),
      },
    ],
  };
}

function open(
  schemas: Record<string, FlowSchemaSpec>,
  levels: Record<string, PriorityLevelConfigurationSpec>,
  apiLevel: ApiLevel = oldestLevel,
) {
  const clock = new FakeClock();
  const metrics = new Metrics();
  const control = new FlowControl({
    seats: 100,
    waitMs: 1000,
    clock,
    metrics: new FlowControlMetrics(metrics, () => clock.now(), apiLevel),
  });
  const named = <Spec>(of: Record<string, Spec>) =>
    Object.entries(of).map(([name, spec]) => ({ name, uid: `uid of ${name}`, spec }));
  control.configure(named(schemas), named(levels));
  const classify = (who: UserInfo, info: RequestInfo): [string, string] => {
    const { schema: matched, level } = control.classify(who, info);
    return [matched.name, level.name];
  };
  return { clock, metrics, control, classify };
}

test("before anything is configured the mandatory objects decide", () => {
  const { classify } = open({}, {});
  expect(classify(admin, resource())).toEqual(["exempt", "exempt"]);
  expect(classify(user("jane"), resource())).toEqual(["catch-all", "catch-all"]);
});

const jane: Subject = { kind: "User", user: { name: "jane" } };
const everyone: Subject = { kind: "Group", group: { name: "system:authenticated" } };

test.each<[string, FlowSchemaSpec, UserInfo, RequestInfo, boolean]>([
  ["a user", schema(5, "l", jane), user("jane"), resource(), true],
  ["another user", schema(5, "l", jane), user("joe"), resource(), false],
  ["any user", schema(5, "l", { kind: "User", user: { name: "*" } }), user("joe"), resource(), true],
  ["a group", schema(5, "l", everyone), user("joe"), resource(), true],
  [
    "an account",
    schema(5, "l", { kind: "ServiceAccount", serviceAccount: { namespace: "a", name: "b" } }),
    account,
    resource(),
    true,
  ],
  [
    "all accounts of a namespace",
    schema(5, "l", { kind: "ServiceAccount", serviceAccount: { namespace: "a", name: "*" } }),
    account,
    resource(),
    true,
  ],
  [
    "accounts of another namespace",
    schema(5, "l", { kind: "ServiceAccount", serviceAccount: { namespace: "aa", name: "*" } }),
    account,
    resource(),
    false,
  ],
  [
    "a verb",
    schema(5, "l", everyone, { verbs: ["get"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"] }),
    user("jane"),
    resource(),
    false,
  ],
  [
    "a subresource, named",
    schema(5, "l", everyone, { verbs: ["*"], apiGroups: [""], resources: ["pods/log"], namespaces: ["n"] }),
    user("jane"),
    resource({ subresource: "log" }),
    true,
  ],
  [
    "a resource, not its subresource",
    schema(5, "l", everyone, { verbs: ["*"], apiGroups: [""], resources: ["pods"], namespaces: ["n"] }),
    user("jane"),
    resource({ subresource: "log" }),
    false,
  ],
  [
    "another namespace",
    schema(5, "l", everyone, { verbs: ["*"], apiGroups: [""], resources: ["pods"], namespaces: ["m"] }),
    user("jane"),
    resource(),
    false,
  ],
  [
    "the cluster, with namespaces alone",
    schema(5, "l", everyone, { verbs: ["*"], apiGroups: [""], resources: ["pods"], namespaces: ["*"] }),
    user("jane"),
    resource({ namespace: "" }),
    false,
  ],
  [
    "the cluster",
    schema(5, "l", everyone, { verbs: ["*"], apiGroups: [""], resources: ["pods"], clusterScope: true }),
    user("jane"),
    resource({ namespace: "" }),
    true,
  ],
  [
    "a path",
    schema(5, "l", everyone, { verbs: ["get"], nonResourceURLs: ["/healthz"] }),
    user("jane"),
    path("/healthz"),
    true,
  ],
  [
    "a path, which stands for those below it",
    schema(5, "l", everyone, { verbs: ["get"], nonResourceURLs: ["/healthz"] }),
    user("jane"),
    path("/healthz/etcd"),
    true,
  ],
  [
    "all paths",
    schema(5, "l", everyone, { verbs: ["get"], nonResourceURLs: ["/"] }),
    user("jane"),
    path("/version"),
    true,
  ],
  [
    "a path, which is whole",
    schema(5, "l", everyone, { verbs: ["get"], nonResourceURLs: ["/health"] }),
    user("jane"),
    path("/healthz"),
    false,
  ],
  [
    "paths below one",
    schema(5, "l", everyone, { verbs: ["get"], nonResourceURLs: ["/debug/*"] }),
    user("jane"),
    path("/debug/pprof/"),
    true,
  ],
  [
    "another path",
    schema(5, "l", everyone, { verbs: ["get"], nonResourceURLs: ["/debug/*"] }),
    user("jane"),
    path("/debu"),
    false,
  ],
])("a schema for %s", (_what, spec, who, info, matches) => {
  const { classify } = open({ s: spec }, { l: limited(10) });
  expect(classify(who, info)).toEqual(matches ? ["s", "l"] : ["catch-all", "catch-all"]);
});

test("precedence decides, then the name; a schema without its level does not count", () => {
  const { classify } = open(
    {
      late: schema(20, "b", jane),
      zeta: schema(10, "a", jane),
      alpha: schema(10, "b", jane),
      dangling: schema(2, "missing", jane),
    },
    { a: limited(10), b: limited(10) },
  );
  expect(classify(user("jane"), resource())).toEqual(["alpha", "b"]);
});

test("levels share the seats by their shares, rounded up", () => {
  const { control } = open({}, { a: limited(10), b: limited(20) });
  const seats = Object.fromEntries([...control.levels].map(({ name, queues }) => [name, queues?.seats]));
  // catch-all has 5 of 35 shares.
  expect(seats).toEqual({ a: 29, b: 58, "catch-all": 15, exempt: undefined });
});

test("under pressure the least important levels lose most of their seats, the most important one none", () => {
  const { control } = open(
    { first: schema(10, "a", jane), second: schema(20, "b", jane) },
    { a: limited(10), b: limited(20) },
  );
  const seats = () =>
    Object.fromEntries([...control.levels].map(({ name, queues }) => [name, queues?.seats]));
  control.shed(0.9);
  expect(seats()).toEqual({ a: 29, b: 32, "catch-all": 1, exempt: undefined });
  control.shed(0);
  expect(seats()).toEqual({ a: 29, b: 58, "catch-all": 15, exempt: undefined });
});

test("requests are counted, and those that get no seat", () => {
  const { control, metrics, clock } = open({ s: schema(5, "l", jane) }, { l: limited(1) });
  void clock;
  const who = user("jane");
  const at = control.classify(who, resource());
  const enter = () => control.enter(at, who, resource(), oneSeat, new AbortController());
  const seats = at.level.queues?.seats ?? 0;
  const running = Array.from({ length: seats }, enter);
  expect(enter).toThrow("concurrency-limit");
  for (const seat of running) if (!(seat instanceof Promise)) seat.release();
  // A watch gives its seat back when it is initialized, and again when it ends.
  for (const seat of running) if (!(seat instanceof Promise)) seat.release();
  const value = (name: string): number[] => {
    const metric = metrics.read().find(({ family }) => family.name === `apiserver_flowcontrol_${name}`);
    if (metric?.type !== "counter" && metric?.type !== "gauge") throw new Error(name);
    return [...metric.family.children()].map(({ child }) => child.value);
  };
  expect(value("dispatched_requests_total")).toEqual([seats]);
  expect(value("rejected_requests_total")).toEqual([1]);
  expect(value("current_executing_requests")).toEqual([0]);
});

test("requests and seats of a level are sampled in relation to its limits", async () => {
  const level: PriorityLevelConfigurationSpec = {
    type: "Limited",
    limited: {
      nominalConcurrencyShares: 1,
      limitResponse: { type: "Queue", queuing: { queues: 1, handSize: 1, queueLengthLimit: 10 } },
    },
  };
  const { control, metrics, clock } = open({ s: schema(5, "l", jane) }, { l: level });
  const who = user("jane");
  const at = control.classify(who, resource());
  const seats = at.level.queues?.seats ?? 0;
  const enter = () => control.enter(at, who, resource(), oneSeat, new AbortController());
  const running = Array.from({ length: seats + 4 }, enter);
  await clock.advance(10);
  const before = read(metrics, "l");
  // 0.4 is in the fifth range, all of the seats in the last one that has a bound.
  expect(before("priority_level_request_count_samples", "executing").counts[10]).toBe(10);
  expect(before("priority_level_seat_count_samples", "executing").counts[10]).toBe(10);
  expect(before("priority_level_request_count_samples", "waiting").counts[4]).toBe(10);
  expect(before("priority_level_request_count_watermarks", "executing", "low").counts[0]).toBe(1);
  expect(before("priority_level_request_count_watermarks", "executing", "high").counts[10]).toBe(10);
  const ofKind = read(metrics, "readOnly");
  expect(ofKind("read_vs_write_request_count_samples", "executing").sum).toBe(10 * seats);
  expect(ofKind("read_vs_write_request_count_samples", "waiting").sum).toBe(10 * 4);
  for (const seat of running) (await seat).release();
  await clock.advance(5);
  const after = read(metrics, "l");
  expect(after("priority_level_request_count_samples", "executing").counts[0]).toBe(5);
  expect(after("priority_level_request_count_samples", "waiting").counts[0]).toBe(5);
  expect(read(metrics, "readOnly")("read_vs_write_request_count_samples", "executing").counts[0]).toBe(5);
  control.configure([], []);
  expect(() => read(metrics, "l")("priority_level_request_count_samples", "executing")).toThrow("not shown");
});

test.each([
  ["1.24", []],
  ["1.25", ["timed"]],
  ["1.26", ["timed", "demand"]],
  ["1.28", ["timed", "demand", "queued"]],
  ["1.36", ["timed", "demand", "queued"]],
] as const)("what is measured of a level at %s: %j", async (apiLevel, shown) => {
  const level: PriorityLevelConfigurationSpec = {
    type: "Limited",
    limited: {
      nominalConcurrencyShares: 1,
      lendablePercent: 50,
      limitResponse: { type: "Queue", queuing: { queues: 1, handSize: 1, queueLengthLimit: 10 } },
    },
  };
  const { control, metrics, clock } = open({ s: schema(5, "l", jane) }, { l: level }, apiLevel);
  const who = user("jane");
  const at = control.classify(who, resource());
  const seats = at.level.queues?.seats ?? 0;
  const two = { ...oneSeat, seats: 2 };
  const enter = (work: Work) => control.enter(at, who, resource(), work, new AbortController());
  const running = Array.from({ length: seats }, () => enter(oneSeat));
  const waiting = [1, 2].map(() => enter(two));
  await clock.advance(500);

  const names = metrics.read().map(({ family }) => family.name.replace("apiserver_flowcontrol_", ""));
  const has = (name: string, part: (typeof shown)[number] | "sampled") =>
    expect([name, names.includes(name)]).toEqual([name, (shown as readonly string[]).includes(part)]);
  for (const name of ["priority_level_request_utilization", "priority_level_seat_utilization"]) {
    has(name, "timed");
  }
  has("read_vs_write_current_requests", "timed");
  for (const name of ["demand_seats", "target_seats", "seat_fair_frac"]) has(name, "demand");
  has("current_inqueue_seats", "queued");
  expect(names.includes("priority_level_seat_count_samples")).toBe(apiLevel === "1.24");
  expect(names.includes("read_vs_write_request_count_watermarks")).toBe(apiLevel === "1.24");

  const kinds: readonly string[] = shown;
  if (kinds.includes("timed")) {
    const { counts, sum } = read(metrics, "executing")("priority_level_seat_utilization", "l");
    // All seats were taken for half a second.
    expect([counts[12], sum]).toEqual([500_000_000, 500_000_000]);
  }
  if (kinds.includes("demand")) {
    // Sampled every 100 ms.
    expect(read(metrics, "l")("demand_seats").sum).toBeCloseTo(((seats + 4) / seats) * 500_000_000, -3);
    expect(figure(metrics, "target_seats", "l")).toBeLessThan(seats);
  }
  if (kinds.includes("queued")) expect(figure(metrics, "current_inqueue_seats", "l", "s")).toBe(4);
  for (const seat of running) (await seat).release();
  for (const seat of waiting) (await seat).release();
  if (kinds.includes("queued")) expect(figure(metrics, "current_inqueue_seats", "l", "s")).toBe(0);
  // Seats are reallocated every ten seconds, so by then it has its own back.
  await clock.advance(10_000);
  if (kinds.includes("demand")) expect(figure(metrics, "target_seats", "l")).toBe(seats);
});

test.each([
  ["1.23", "l,s"],
  ["1.24", "l,s,regular l,s,watch"],
] as const)("executions at %s are counted for %s", async (apiLevel, expected) => {
  const level: PriorityLevelConfigurationSpec = {
    type: "Limited",
    limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } },
  };
  const { control, metrics } = open({ s: schema(5, "l", jane) }, { l: level }, apiLevel);
  const who = user("jane");
  for (const verb of ["get", "watch"]) {
    const info = { ...resource(), verb };
    const waits = { signal: new AbortController().signal };
    (await control.enter(control.classify(who, info), who, info, oneSeat, waits)).release();
  }
  const metric = metrics.all().find(({ family }) => family.name.endsWith("_request_execution_seconds"));
  const children = [...(metric?.family.children() ?? [])].map(({ values }) => values.join());
  expect(children.sort().join(" ")).toBe(expected);
});

function figure(metrics: Metrics, name: string, ...labels: readonly string[]): number | undefined {
  const metric = metrics.all().find(({ family }) => family.name === `apiserver_flowcontrol_${name}`);
  if (metric?.type !== "gauge") throw new Error(`${name} is not shown`);
  return [...metric.family.children()].find(({ values }) => values.join() === labels.join())?.child.value;
}

test("a level borrows what another lends, and gives it back", async () => {
  const lending = (shares: number, lendablePercent: number, borrowingLimitPercent?: number) => ({
    type: "Limited",
    limited: {
      nominalConcurrencyShares: shares,
      limitResponse: { type: "Reject" },
      lendablePercent,
      borrowingLimitPercent,
    },
  });
  const joe: Subject = { kind: "User", user: { name: "joe" } };
  const { control, clock } = open(
    { s: schema(5, "lender", joe), t: schema(6, "borrower", jane) },
    { lender: lending(75, 40, 0), borrower: lending(20, 0, 50) },
  );
  const info = resource();
  const enterAll = (who: UserInfo): Seat[] => {
    const seats: Seat[] = [];
    try {
      for (;;) seats.push(enter(who));
    } catch (error) {
      expect(error).toMatchObject({ reason: "concurrency-limit" });
      return seats;
    }
  };
  const enter = (who: UserInfo): Seat => {
    const seat = control.enter(control.classify(who, info), who, info, oneSeat, new AbortController());
    if (seat instanceof Promise) throw new Error("waits");
    return seat;
  };
  /** Refused requests are part of the demand. */
  const beRefused = async (who: UserInfo): Promise<void> => {
    for (let samples = 0; samples < 100; samples++) {
      for (let refused = 0; refused < 50; refused++) expect(() => enter(who)).toThrow("concurrency-limit");
      await clock.advance(100);
    }
  };
  const borrowed = enterAll(user("jane"));
  expect(borrowed).toHaveLength(20);
  await beRefused(user("jane"));
  borrowed.push(...enterAll(user("jane")));
  expect(borrowed).toHaveLength(30);
  const lent = enterAll(user("joe"));
  expect(lent).toHaveLength(65);
  await beRefused(user("joe"));
  lent.push(...enterAll(user("joe")));
  expect(lent).toHaveLength(75);
  for (const seat of borrowed) seat.release();
  expect(enterAll(user("jane"))).toHaveLength(20);
});

test("a level without shares runs nothing unless it may borrow", async () => {
  const { control, clock } = open({ s: schema(5, "jail", jane) }, { jail: limited(0) });
  const who = user("jane");
  const at = control.classify(who, resource());
  const enter = () => control.enter(at, who, resource(), oneSeat, new AbortController());
  expect(enter).toThrow("concurrency-limit");
  await clock.advance(10_000);
  expect(enter).toThrow("concurrency-limit");
});

test("a closed flow control has no timer, also when it is configured once more", () => {
  const lending: PriorityLevelConfigurationSpec = {
    type: "Limited",
    limited: { nominalConcurrencyShares: 10, lendablePercent: 50, limitResponse: { type: "Reject" } },
  };
  const { control, clock } = open({}, { lender: lending });
  expect(clock.waiting).toBe(1);
  control.close();
  expect(clock.waiting).toBe(0);
  control.configure([], [{ name: "lender", uid: "", spec: lending }]);
  expect(clock.waiting).toBe(0);
});

test("seats that a write keeps after its answer are sampled", async () => {
  const { control, metrics, clock } = open({ s: schema(5, "l", jane) }, { l: limited(1) });
  const who = user("jane");
  const info = resource({ verb: "create" });
  const at = control.classify(who, info);
  const work = { seats: 1, finalSeats: at.level.queues?.seats ?? 0, finalMs: 5, watchers: 1000 };
  (await control.enter(at, who, info, work, new AbortController())).release();
  await clock.advance(20);
  const seats = read(metrics, "l")("priority_level_seat_count_samples", "executing");
  expect([seats.counts[0], seats.counts[10]]).toEqual([15, 5]);
});

test("requests of an exempt level are sampled by kind", async () => {
  const { control, metrics, clock } = open({}, {});
  const info = resource({ verb: "update" });
  const seat = await control.enter(
    control.classify(admin, info),
    admin,
    info,
    oneSeat,
    new AbortController(),
  );
  await clock.advance(3);
  seat.release();
  // A watch gives its seat back when it is initialized, and again when it ends.
  seat.release();
  await clock.advance(3);
  const { sum, counts } = read(metrics, "mutating")("read_vs_write_request_count_samples", "executing");
  expect([sum, counts[0]]).toEqual([3, 3]);
});

function read(metrics: Metrics, subject: string): (name: string, ...labels: string[]) => Distribution {
  const all = metrics.read();
  return (name, ...labels) => {
    const metric = all.find(({ family }) => family.name === `apiserver_flowcontrol_${name}`);
    if (metric?.type !== "histogram") throw new Error(name);
    for (const { values, child } of metric.family.children()) {
      if (values.join() === [subject, ...labels].join()) return child;
    }
    throw new Error(`${name} of ${subject} is not shown`);
  };
}

test("nothing is shown of a schema that is gone, also while a request of it runs", () => {
  const { control, metrics } = open({ s: schema(5, "l", jane) }, { l: limited(1) });
  const who = user("jane");
  const running = control.enter(
    control.classify(who, resource()),
    who,
    resource(),
    oneSeat,
    new AbortController(),
  );
  const shown = () =>
    metrics.read().flatMap(({ family }) => [...family.children()].map(({ values }) => values.join(" ")));
  expect(shown()).toContain("l s");
  control.configure([], [{ name: "l", uid: "uid of l", spec: limited(1) }]);
  if (!(running instanceof Promise)) running.release();
  expect(shown().filter((values) => /\bs\b/.test(values))).toEqual([]);
});

test("a changed level keeps what runs at it", () => {
  const { control } = open({ s: schema(5, "l", jane) }, { l: limited(1) });
  const who = user("jane");
  const before = control.classify(who, resource());
  void control.enter(before, who, resource(), oneSeat, new AbortController());
  control.configure(
    [{ name: "s", uid: "", spec: schema(5, "l", jane) }],
    [{ name: "l", uid: "", spec: limited(50) }],
  );
  const after = control.classify(who, resource());
  expect(after.level.queues).toBe(before.level.queues);
  expect(after.level.queues?.running).toBe(1);
});
