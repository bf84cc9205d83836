import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import { printTime } from "../../apimachinery/errors/printed-structs.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, minorOf } from "../../apimachinery/levels/api-level.js";
import { type TestContextChoices, testApiContext, testWriteContext } from "../testing/api-context.js";
import { changed, kindUnderTest } from "../testing/kind-under-test.js";
import { cronJobs } from "./cron-job/resource.js";
import { jobs } from "./job/resource.js";

const template = {
  spec: { restartPolicy: "Never", containers: [{ name: "app", image: "app:1" }] },
};
const indexed = { completionMode: "Indexed", completions: 3, parallelism: 3 };
const rule = { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] };

function job(spec: JsonObject = {}): JsonObject {
  return { metadata: { name: "j", namespace: "ns", uid: "u" }, spec: { template, ...spec } };
}

function jobsAt(level: ApiLevel, gates: TestContextChoices["gates"] = {}) {
  return kindUnderTest(jobs(testApiContext({ level, gates })));
}

test("an indexed job has a name with which its pods can be named", () => {
  const named = (name: string, spec: JsonObject) =>
    jobsAt("1.23").create({ ...job({ ...indexed, ...spec }), metadata: { name, namespace: "ns", uid: "u" } });
  expect(named("a.b", { completions: 3 }).errors).toEqual([
    'metadata.name: Invalid value: "a.b": will not able to create pod with invalid DNS label: a.b-2',
  ]);
  expect(named("a.b", { completionMode: "NonIndexed" }).errors).toEqual([]);
});

test("labels of pods have the domain from 1.27 on", () => {
  const { object, errors } = jobsAt("1.27").create(job());
  expect(errors).toEqual([]);
  const [uid, name] = ["batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"];
  expect(object.spec.template.metadata.labels).toEqual({
    "job-name": "j",
    "controller-uid": "u",
    [name]: "j",
    [uid]: "u",
  });
  expect(object.spec.selector?.matchLabels).toEqual({ [uid]: "u" });
  const older = jobsAt("1.26").create(job()).object;
  expect(older.spec.template.metadata.labels).toEqual({ "job-name": "j", "controller-uid": "u" });
  expect(older.spec.selector?.matchLabels).toEqual({ "controller-uid": "u" });
});

test.each<[ApiLevel, TestContextChoices["gates"], string[]]>([
  ["1.28", {}, ["Ignore"]],
  ["1.28", { JobBackoffLimitPerIndex: true }, ["FailIndex", "Ignore"]],
  ["1.29", { JobBackoffLimitPerIndex: false }, ["Ignore"]],
  ["1.29", {}, ["FailIndex", "Ignore"]],
])("at %s with %j, a new job keeps the rules %j of its failure policy", (level, gates, actions) => {
  const rules = [{ ...rule, action: "FailIndex" }, rule];
  const spec = { ...indexed, backoffLimitPerIndex: 1, podFailurePolicy: { rules } };
  const { object, errors } = jobsAt(level, gates).create(job(spec));
  expect(errors).toEqual([]);
  expect(object.spec.podFailurePolicy?.rules?.map(({ action }) => action)).toEqual(actions);
});

test.each<[ApiLevel, string[]]>([
  ["1.27", ["metadata.annotations[batch.kubernetes.io/job-tracking]: Forbidden: cannot add this annotation"]],
  ["1.28", []],
])("at %s, an old job that is annotated as tracked has the errors %j", (level, errors) => {
  const annotations = { "batch.kubernetes.io/job-tracking": "" };
  const old = job({ manualSelector: true, selector: { matchLabels: {} } });
  const annotated = { ...old, metadata: { name: "j", namespace: "ns", uid: "u", annotations } };
  expect(jobsAt(level).update(annotated, old).errors).toEqual(errors);
});

test.each<[ApiLevel, boolean, boolean]>([
  ["1.25", true, false],
  ["1.26", true, true],
  ["1.27", true, true],
  ["1.28", false, false],
])("at %s, new jobs are annotated as tracked: %j, and stay so: %j", (level, isNew, stays) => {
  const annotations = { "batch.kubernetes.io/job-tracking": "" };
  const { metadata } = jobsAt(level).create(job()).object;
  expect(metadata.annotations).toEqual(isNew ? annotations : undefined);
  const old = job({ manualSelector: true, selector: { matchLabels: {} } });
  const tracked = { ...old, metadata: { name: "j", namespace: "ns", uid: "u", annotations } };
  const updated = jobsAt(level).update(old, tracked).object;
  expect(updated.metadata.annotations).toEqual(stays ? annotations : undefined);
});

test("a job from before 1.27 may be updated", () => {
  const old = job({
    selector: { matchLabels: { "controller-uid": "u" } },
    template: { ...template, metadata: { labels: { "job-name": "j", "controller-uid": "u" } } },
  });
  expect(jobsAt("1.35").update(old, old).errors).toEqual([]);
});

describe("defaults", () => {
  test.each<[ApiLevel, JsonObject, JsonObject]>([
    ["1.35", {}, { backoffLimit: 6, podReplacementPolicy: "TerminatingOrFailed", manualSelector: false }],
    ["1.29", {}, { manualSelector: false }],
    ["1.35", { podFailurePolicy: { rules: [rule] } }, { podReplacementPolicy: "Failed" }],
    ["1.35", { ...indexed, backoffLimitPerIndex: 1 }, { backoffLimit: 2147483647 }],
  ])("at %s of %j", (level, spec, expected) => {
    expect(jobsAt(level).decode(job(spec)).spec).toMatchObject(expected);
  });

  test("a condition is true, and nothing else is set at older levels", () => {
    const { spec } = jobsAt("1.28").decode(job({ podFailurePolicy: { rules: [rule] } }));
    expect(spec.podFailurePolicy?.rules?.[0]?.onPodConditions?.[0]?.status).toBe("True");
    expect(jobsAt("1.26").decode(job({})).spec.podReplacementPolicy).toBeUndefined();
    expect(spec.manualSelector).toBeUndefined();
  });

  test("the selector is generated, which jobs say since 1.29", () => {
    expect(jobsAt("1.28").decode(job()).spec.manualSelector).toBeUndefined();
    expect(jobsAt("1.29").decode(job()).spec.manualSelector).toBe(false);
  });

  test("conditions in the template of a cron job are true since 1.34", () => {
    const cron = {
      metadata: { name: "c" },
      spec: { schedule: "@daily", jobTemplate: { spec: { template, podFailurePolicy: { rules: [rule] } } } },
    };
    const kindAt = (level: ApiLevel) => kindUnderTest(cronJobs(testApiContext({ level })));
    const { podFailurePolicy, backoffLimit } = kindAt("1.34").decode(cron).spec.jobTemplate.spec;
    expect(podFailurePolicy?.rules?.[0]?.onPodConditions?.[0]?.status).toBe("True");
    expect(backoffLimit).toBeUndefined();
    expect(kindAt("1.33").create(cron).errors).toEqual([
      'spec.jobTemplate.spec.podFailurePolicy.rules[0].onPodConditions[0].status: Required value: valid values: ["False" "True" "Unknown"]',
    ]);
  });
});

test("the limits of indexes are checked before the mode that they require", () => {
  expect(jobsAt("1.30").create(job({ maxFailedIndexes: 2 })).errors).toEqual([
    "spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified",
    "spec.maxFailedIndexes: Invalid value: 2: requires indexed completion mode",
  ]);
});

test.each<[spec: JsonObject, errors: string[]]>([
  [{ podFailurePolicy: { rules: [rule] } }, []],
  [
    { podFailurePolicy: { rules: [rule] }, template: changed(template, "spec.restartPolicy", "OnFailure") },
    [
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
    ],
  ],
  [
    { podFailurePolicy: { rules: [{ action: "Stop" }] } },
    [
      'spec.podFailurePolicy.rules[0].action: Unsupported value: "Stop": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
      "spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
    ],
  ],
  [
    {
      podFailurePolicy: {
        rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [2, 1, 1, 0] } }],
      },
    },
    [
      'spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
      "spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 1",
      "spec.podFailurePolicy.rules[0].onExitCodes.values[3]: Invalid value: 0: must not be 0 for the In operator",
      "spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []int32{2, 1, 1, 0}: must be ordered",
    ],
  ],
  [
    { podFailurePolicy: { rules: [{ action: "Count", onExitCodes: { containerName: "x", values: [1] } }] } },
    [
      'spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
      'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template',
    ],
  ],
  [
    { backoffLimitPerIndex: 1 },
    ["spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"],
  ],
  [
    { completionMode: "Random", backoffLimitPerIndex: 1 },
    ['spec.completionMode: Unsupported value: "Random": supported values: "NonIndexed", "Indexed"'],
  ],
  [
    { ...indexed, maxFailedIndexes: 1 },
    ["spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified"],
  ],
  [
    { ...indexed, maxFailedIndexes: 4, backoffLimitPerIndex: 0 },
    ["spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions"],
  ],
  [
    { completionMode: "Indexed", completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 0 },
    [
      "spec.maxFailedIndexes: Required value: must be specified when completions is above 100000",
      "spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index",
    ],
  ],
  [{ ...indexed, successPolicy: { rules: [{ succeededIndexes: "0,2", succeededCount: 2 }] } }, []],
  [
    { successPolicy: { rules: [{ succeededCount: 1 }] } },
    [
      "spec.successPolicy: Invalid value: batch.SuccessPolicy{Rules:[]batch.SuccessPolicyRule{batch.SuccessPolicyRule{SucceededIndexes:(*string)(nil), SucceededCount:(*int32)(0xc000000000)}}}: requires indexed completion mode",
    ],
  ],
  [
    { ...indexed, successPolicy: { rules: [{ succeededIndexes: "1-0" }, { succeededIndexes: "1,7" }, {}] } },
    [
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "1-0": error parsing succeededIndexes: non-increasing order, previous: 1, current: 0',
      'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "1,7": error parsing succeededIndexes: too large index: "7"',
      "spec.successPolicy.rules[2]: Required value: at least one of succeededCount or succeededIndexes must be specified",
    ],
  ],
  [
    { ...indexed, successPolicy: { rules: [{ succeededIndexes: "0", succeededCount: 2 }] } },
    [
      "spec.successPolicy.rules[0].succeededCount: Invalid value: 2: must be less than or equal to 1 (the number of indexes in the specified succeededIndexes field)",
    ],
  ],
  [
    { podReplacementPolicy: "Never" },
    [
      'spec.podReplacementPolicy: Unsupported value: "Never": supported values: "Failed", "TerminatingOrFailed"',
    ],
  ],
  [{ managedBy: "example.com/me" }, []],
  [
    { managedBy: "me" },
    [expect.stringContaining('spec.managedBy: Invalid value: "me": must be a domain-prefixed path')],
  ],
])("at 1.35, %j", (spec, errors) => {
  expect(jobsAt("1.35").create(job(spec)).errors).toEqual(errors);
});

describe("updates", () => {
  const suspended = { suspend: true };
  const selecting = changed(template, "spec.nodeSelector", { a: "b" });
  const gated = changed(template, "spec.schedulingGates", [{ name: "a.b/c" }]);
  const sized = changed(template, "spec.containers.0.resources", { requests: { cpu: "1" } });

  function updated(
    level: ApiLevel,
    old: JsonObject,
    spec: JsonObject,
    status: JsonObject = {},
    gates = {},
  ): readonly string[] {
    const kind = jobsAt(level, gates);
    const before = kind.create(job(old)).object;
    const stored = JSON.parse(JSON.stringify(kind.encode(before)));
    const labels = stored.spec.template.metadata;
    const next = job(spec);
    const object = changed(
      changed(next, "spec.selector", stored.spec.selector),
      "spec.template.metadata",
      labels,
    );
    return kind.update(object, { ...stored, status }).errors;
  }

  test("scale an indexed job from 1.27 on", () => {
    const scaled = { ...indexed, completions: 5, parallelism: 5 };
    expect(updated("1.27", indexed, scaled)).toEqual([]);
    expect(updated("1.27", indexed, { ...indexed, completions: 5 })).toEqual([
      "spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism",
    ]);
    expect(updated("1.26", indexed, scaled)).toEqual([
      "spec.completions: Invalid value: 5: field is immutable",
    ]);
  });

  test("schedule a job that has not started", () => {
    expect(updated("1.27", suspended, { ...suspended, template: selecting })).toEqual([]);
    expect(updated("1.27", suspended, { ...suspended, template: gated })).toEqual([]);
    expect(updated("1.27", {}, { template: selecting })).toHaveLength(1);
  });

  test("schedule and size one that was suspended again from 1.36 on", () => {
    const status = { startTime: "2022-01-01T00:00:00Z", conditions: [{ type: "Suspended", status: "True" }] };
    for (const changedTemplate of [selecting, sized]) {
      const spec = { ...suspended, template: changedTemplate };
      expect(updated("1.36", suspended, spec, status)).toEqual([]);
      expect(updated("1.35", suspended, spec, status)).toHaveLength(1);
    }
  });

  test("leave policies and the manager alone", () => {
    const errors = updated("1.35", {}, { managedBy: "a.b/c", podFailurePolicy: { rules: [rule] } });
    expect(errors.map((text) => text.split(":")[0])).toEqual(["spec.podFailurePolicy", "spec.managedBy"]);
  });
});

describe("the status", () => {
  const complete = { type: "Complete", status: "True" };
  const met = { type: "SuccessCriteriaMet", status: "True" };
  const startTime = "2022-01-01T00:00:00Z";
  const completionTime = "2022-01-01T01:00:00Z";

  function reported(
    status: JsonObject,
    old: JsonObject = {},
    level: ApiLevel = "1.35",
    gates: TestContextChoices["gates"] = {},
  ): readonly string[] {
    return jobsAt(level, gates).update(
      { ...job(indexed), status },
      { ...job(indexed), status: old },
      "status",
    ).errors;
  }

  test.each<[JsonObject, JsonObject, string[]]>([
    [{ startTime, completionTime, conditions: [met, complete] }, {}, []],
    [
      { startTime, conditions: [complete] },
      {},
      [
        "status.completionTime: Required value: completionTime is required for Complete jobs",
        "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
      ],
    ],
    [
      { completionTime },
      {},
      [
        `status.completionTime: Invalid value: ${printTime(completionTime).text}: cannot set completionTime when there is no Complete=True condition`,
      ],
    ],
    [{ failed: 1 }, { failed: 2 }, ["status.failed: Invalid value: 1: cannot decrease the failed counter"]],
    [{ ready: 2, active: 1 }, {}, ["status.ready: Invalid value: 2: cannot set more ready pods than active"]],
    [
      { completedIndexes: "0,x" },
      {},
      [
        'status.completedIndexes: Invalid value: "0,x": error parsing completedIndexes: cannot convert string to integer for index: "x"',
      ],
    ],
    // An invalid old status does not block other changes.
    [{ completedIndexes: "9", active: 1 }, { completedIndexes: "9" }, []],
    [
      { startTime, completionTime, conditions: [met] },
      { startTime, completionTime, conditions: [met, complete] },
      [
        `status.completionTime: Invalid value: ${printTime(completionTime).text}: cannot set completionTime when there is no Complete=True condition`,
        "status.conditions: Invalid value: cannot disable the terminal Complete=True condition",
      ],
    ],
    [
      {},
      { startTime },
      ["status.startTime: Required value: startTime cannot be removed for unsuspended job"],
    ],
    // A resumed job gets a new start time.
    [
      { startTime: completionTime, conditions: [{ type: "Suspended", status: "False" }] },
      { startTime, conditions: [{ type: "Suspended", status: "True" }] },
      [],
    ],
  ])("%j after %j", (status, old, errors) => {
    expect(reported(status, old)).toEqual(errors);
  });

  test("ends after its start, in words that are new in 1.34", () => {
    const status = { startTime: completionTime, completionTime: startTime, conditions: [met, complete] };
    const inWords = (minor: number) => withErrorTextsOf(minor, () => reported(status));
    const value = "status.completionTime: Invalid value";
    const shown = printTime(startTime);
    expect(inWords(33)).toEqual([`${value}: ${shown.text}: completionTime cannot be set before startTime`]);
    expect(inWords(34)).toEqual([`${value}: ${shown.json}: must be equal to or after \`startTime\``]);
  });

  test("tells of indexes before counts", () => {
    const status = { completedIndexes: "9", failedIndexes: "x", terminating: 1, ready: 1 };
    const fields = reported(status).map((text) => text.split(":")[0]);
    expect(fields).toEqual(["status.completedIndexes", "status.failedIndexes", "status.ready"]);
  });

  test("is a success of any job since 1.31, before only of indexed ones with a policy", () => {
    const errors = (level: ApiLevel, spec: JsonObject, gates: TestContextChoices["gates"] = {}) =>
      jobsAt(level, gates).update(
        { ...job(spec), status: { conditions: [met] } },
        { ...job(spec), status: {} },
        "status",
      ).errors;
    const noIndexes = "status.conditions: Invalid value: cannot set SuccessCriteriaMet to NonIndexed Job";
    const noPolicy =
      "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True for Job without SuccessPolicy";
    expect(errors("1.29", {})).toEqual([]);
    expect(errors("1.30", {})).toEqual([noIndexes, noPolicy]);
    expect(errors("1.30", indexed)).toEqual([noPolicy]);
    expect(errors("1.31", {})).toEqual([]);
    expect(errors("1.31", {}, { JobPodReplacementPolicy: false })).toEqual([noIndexes, noPolicy]);
    expect(reported({}, { conditions: [met] }, "1.30")).toEqual([
      "status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition",
    ]);
  });

  test("needs no start where nothing was to be done and the job was suspended", () => {
    const status = { completionTime, conditions: [met, complete] };
    const finished = (spec: JsonObject) =>
      jobsAt("1.35").update({ ...job(spec), status }, { ...job(spec), status: {} }, "status").errors;
    expect(finished({ suspend: true, completions: 0 })).toEqual([]);
    const why = "status.startTime: Required value: startTime is required for finished job";
    expect(finished({ suspend: true, completions: 1 })).toEqual([why]);
    expect(finished({ completions: 0 })).toEqual([why]);
  });

  test("keeps its start, which since 1.36 is told as such", () => {
    const immutable = "field is immutable for unsuspended job once set";
    expect(reported({}, { startTime }, "1.36")).toEqual([
      `status.startTime: Invalid value: "null": ${immutable}`,
    ]);
    expect(reported({ startTime: completionTime }, { startTime }, "1.36")).toEqual([
      `status.startTime: Invalid value: "${completionTime}": ${immutable}`,
    ]);
    expect(reported({ startTime: completionTime }, { startTime }, "1.35")).toEqual([
      "status.startTime: Required value: startTime cannot be removed for unsuspended job",
    ]);
  });

  test("is the controller's alone before others may manage jobs", () => {
    const [status, old] = [{ failed: 1 }, { failed: 2 }];
    for (const level of ["1.29", "1.30", "1.31"] as const) expect(reported(status, old, level)).toEqual([]);
    expect(reported(status, old, "1.30", { JobManagedBy: true })).toHaveLength(1);
    for (const level of ["1.32", "1.36"] as const) expect(reported(status, old, level)).toHaveLength(1);
  });
});

describe("a cron job's time zone", () => {
  function cronJob(spec: JsonObject): JsonObject {
    return {
      metadata: { name: "c", namespace: "ns" },
      spec: { schedule: "* * * * *", jobTemplate: { spec: { template } }, ...spec },
    };
  }
  const kindAt = (level: ApiLevel) => kindUnderTest(cronJobs(testApiContext({ level })));

  test.each<[string, string[]]>([
    ["Europe/Berlin", []],
    ["Etc/GMT+1", []],
    ["", ['spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string']],
    ["Mars/Base", ['spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base']],
    ["+01", ['spec.timeZone: Invalid value: "+01": unknown time zone +01']],
    ["utc", ['spec.timeZone: Invalid value: "utc": unknown time zone utc']],
    ["america/new_york", [expect.stringContaining("unknown time zone america/new_york")]],
    ["EST5EDT", []],
    ["PST", ['spec.timeZone: Invalid value: "PST": unknown time zone PST']],
    ["Local", [expect.stringContaining("timeZone must be an explicit time zone")]],
    [
      "local",
      [
        expect.stringContaining("must be an explicit time zone"),
        expect.stringContaining("unknown time zone local"),
      ],
    ],
  ])("%j", (timeZone, errors) => {
    for (const level of ["1.26", "1.27"] as const) {
      expect(kindAt(level).create(cronJob({ timeZone })).errors).toEqual(errors);
    }
  });

  test.each<[ApiLevel, string]>([
    ["1.26", "time: invalid location name"],
    ["1.27", "unknown time zone ../Berlin"],
  ])("at %s is no path: %s", (level, problem) => {
    expect(kindAt(level).create(cronJob({ timeZone: "../Berlin" })).errors).toEqual([
      `spec.timeZone: Invalid value: "../Berlin": ${problem}`,
    ]);
  });

  test("is not in the schedule from 1.29 on", () => {
    const old = cronJob({ schedule: "TZ=UTC * * * * *" });
    expect(kindAt("1.29").create(old).errors).toEqual([
      'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ]);
    expect(kindAt("1.29").update(old, old).errors).toEqual([]);
    const object = kindUnderTest(cronJobs(testApiContext({ level: "1.28" }))).decode(old);
    const more = "see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";
    const known = `CRON_TZ or TZ used in spec.spec.schedule is not officially supported, ${more}`;
    for (const level of ["1.23", "1.28"] as const) {
      const { strategy } = cronJobs(testApiContext({ level }));
      expect(strategy.validate(testWriteContext(), object)).toEqual([]);
      expect(strategy.warningsOnCreate?.(testWriteContext(), object)).toEqual([known]);
      expect(strategy.warningsOnUpdate?.(testWriteContext(), object, object)).toEqual([known]);
    }
    const later = cronJobs(testApiContext({ level: "1.29" })).strategy;
    expect(later.warningsOnCreate?.(testWriteContext(), object)).toEqual([]);
    expect(later.warningsOnUpdate?.(testWriteContext(), object, object)).toEqual([
      `cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, ${more}`,
    ]);
  });
});

test.each<[ApiLevel, JsonObject, boolean]>([
  ["1.27", {}, false],
  ["1.28", {}, true],
  ["1.36", {}, true],
  ["1.36", { parallelism: 10_000 }, false],
  ["1.36", { completionMode: "NonIndexed" }, false],
])("at %s, a large job with %j is warned of: %s", (level, changes, isWarned) => {
  const definition = jobs(testApiContext({ level }));
  const spec = {
    completionMode: "Indexed",
    completions: 100_001,
    parallelism: 10_001,
    template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } },
    ...changes,
  };
  const object = kindUnderTest(definition, level).decode({ metadata: { name: "j" }, spec });
  expect(definition.strategy.warningsOnCreate?.(testWriteContext(), object)).toEqual(
    isWarned ? [expect.stringMatching(/^spec: In Indexed Jobs with .* 10\^4, Kubernetes might not/)] : [],
  );
});

test("a template that may not change is shown in the names of Go since 1.34", () => {
  const errorAt = (level: ApiLevel): string | undefined => {
    const container = { ...template.spec.containers[0], image: "app:2" };
    const after = job({ template: { spec: { ...template.spec, containers: [container] } } });
    return withErrorTextsOf(minorOf(level), () => jobsAt(level).update(after, job()).errors.at(-1));
  };
  expect(errorAt("1.33")).toContain('spec.template: Invalid value: {"metadata":');
  expect(errorAt("1.34")).toContain(
    '"Spec":{"Volumes":null,"InitContainers":null,"Containers":[{"Name":"app","Image":"app:2",',
  );
});

test("who manages a job is dropped from new ones without its gate, and refused in updates", () => {
  const managed = job({ managedBy: "example.org/me" });
  const { create, update } = jobsAt("1.30", { JobManagedBy: false });
  expect(create(managed).object.spec.managedBy).toBeUndefined();
  expect(update(managed, job()).errors).toContain(
    'spec.managedBy: Invalid value: "example.org/me": field is immutable',
  );
  expect(jobsAt("1.30", { JobManagedBy: true }).create(managed).object.spec.managedBy).toBe("example.org/me");
});
