import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { definitionAtLevel } from "../definition/definition-at-level.js";
import { convertFromHub, hubVersion, type ResourceDefinition } from "../definition/resource-definition.js";
import { testApiContext, testWriteContext } from "../testing/api-context.js";
import { batchResources } from "./resources.js";

const context = testApiContext();
const write = testWriteContext();
const tracking = `batch.${context.naming.domain}/job-tracking`;

type Json = { readonly [key: string]: unknown };

function definitionOf(resource: string, resources = batchResources(context)): ResourceDefinition {
  const found = resources.find((definition) => definition.resource === resource);
  if (found === undefined) throw new Error(`no ${resource}`);
  return found;
}

/** Decodes a request body, with defaults and the metadata of a new object. */
function decoded(definition: ResourceDefinition, body: Json, metadata: Json = {}): ApiObject {
  const version = hubVersion(definition);
  const whole = { ...body, metadata: { name: "a", uid: "u", ...metadata } };
  const object = version.codec.fromJson(JSON.parse(JSON.stringify(whole)));
  version.setDefaults(object);
  return object;
}

function created(definition: ResourceDefinition, body: Json, metadata: Json = {}): ApiObject {
  const object = decoded(definition, body, metadata);
  definition.strategy.prepareForCreate(write, object);
  return object;
}

function encoded(definition: ResourceDefinition, object: ApiObject): Json {
  return JSON.parse(hubVersion(definition).codec.toJson(object));
}

const podSpec = { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" };
const template = { spec: podSpec };

function createErrors(resource: string, spec: Json, metadata: Json = {}): string[] {
  const definition = definitionOf(resource);
  const object = created(definition, { spec }, metadata);
  return definition.strategy.validate(write, object).map(({ field, body }) => `${field}: ${body}`);
}

describe("creating a job", () => {
  const definition = definitionOf("jobs");

  test("gives it a selector of its own and the labels that it selects", () => {
    expect(encoded(definition, created(definition, { spec: { template } }))).toMatchObject({
      metadata: { generation: 1, annotations: { [tracking]: "" } },
      spec: {
        completions: 1,
        parallelism: 1,
        backoffLimit: 6,
        completionMode: "NonIndexed",
        suspend: false,
        selector: { matchLabels: { "controller-uid": "u" } },
        template: { metadata: { labels: { "controller-uid": "u", "job-name": "a" } } },
      },
    });
    expect(createErrors("jobs", { template })).toEqual([]);
  });

  test("labels the job like its template unless it has labels of its own", () => {
    const labelled = { ...template, metadata: { labels: { app: "x" } } };
    const labelsOf = (metadata: Json): unknown =>
      created(definition, { spec: { template: labelled } }, metadata).metadata.labels;
    expect(labelsOf({})).toEqual({ app: "x", "controller-uid": "u", "job-name": "a" });
    expect(labelsOf({ labels: { app: "x" } })).toEqual({ app: "x" });
  });

  test("leaves a selector alone that the job says it brings", () => {
    const labels = { app: "x" };
    const spec = {
      manualSelector: true,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
    };
    expect(encoded(definition, created(definition, { spec }))).toMatchObject({ metadata: { labels }, spec });
    expect(createErrors("jobs", spec)).toEqual([]);
    expect(createErrors("jobs", { manualSelector: true, template })).toContain(
      "spec.selector: Required value",
    );
  });

  test("leaves completions unset where parallelism is given", () => {
    const spec = encoded(definition, created(definition, { spec: { parallelism: 3, template } })).spec;
    expect(spec).not.toHaveProperty("completions");
  });

  test.each([
    [
      { template: { ...template, metadata: { labels: { "job-name": "b" } } } },
      [
        `spec.template.metadata.labels[job-name]: Invalid value: map[string]string{"controller-uid":"u", "job-name":"b"}: must be 'a'`,
      ],
    ],
    [
      { template, selector: { matchLabels: { "controller-uid": "other" } } },
      [
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"controller-uid":"other"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: `selector` not auto-generated',
        'spec.template.metadata.labels: Invalid value: map[string]string{"controller-uid":"u", "job-name":"a"}: `selector` does not match template `labels`',
      ],
    ],
    [
      { template: { spec: { ...podSpec, restartPolicy: undefined } } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      { template, parallelism: -1 },
      ["spec.parallelism: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      { template, completions: -1 },
      ["spec.completions: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      { template, backoffLimit: -1 },
      ["spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      { template, ttlSecondsAfterFinished: -1 },
      ["spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      { template, activeDeadlineSeconds: -1 },
      ["spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      { template, completionMode: "Other" },
      ['spec.completionMode: Unsupported value: "Other": supported values: "NonIndexed", "Indexed"'],
    ],
    [
      { template, completionMode: "Indexed", parallelism: 100_001 },
      [
        "spec.completions: Required value: when completion mode is Indexed",
        "spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed",
      ],
    ],
  ])("with %j is refused", (spec, expected) => {
    expect(createErrors("jobs", spec)).toEqual(expected);
  });

  test("forgets what is behind gates that are off", () => {
    const gates = { IndexedJob: false, SuspendJob: false, JobTrackingWithFinalizers: false };
    const off = definitionOf("jobs", batchResources(testApiContext({ gates })));
    const spec = { completionMode: "Indexed", suspend: true, completions: 1, template };
    const job = encoded(off, created(off, { spec }, { annotations: { [tracking]: "", other: "x" } }));
    expect(job).not.toHaveProperty("spec.completionMode");
    expect(job).not.toHaveProperty("spec.suspend");
    expect(job).toMatchObject({ metadata: { annotations: { other: "x" } } });
    expect(job).not.toHaveProperty(["metadata", "annotations", tracking]);
  });
});

describe("updating a job", () => {
  const definition = definitionOf("jobs");

  /** Changes to the stored spec. */
  function updateErrors(stored: Json, changes: Json, status: Json = {}): string[] {
    const old = created(definition, { spec: { template, ...stored } });
    const json = encoded(definition, old);
    const oldWithStatus = decoded(definition, { ...json, status }, json.metadata as Json);
    const spec = typeof json.spec === "object" && json.spec !== null ? json.spec : {};
    const object = decoded(definition, { ...json, spec: { ...spec, ...changes } }, json.metadata as Json);
    definition.strategy.prepareForUpdate(write, object, oldWithStatus);
    return definition.strategy
      .validateUpdate(write, object, oldWithStatus)
      .map(({ field, body }) => `${field}: ${body}`);
  }

  test.each([
    [{ completions: 2 }, "spec.completions: Invalid value: 2: field is immutable"],
    [{ completionMode: "Indexed" }, 'spec.completionMode: Invalid value: "Indexed": field is immutable'],
    [
      { selector: { matchLabels: { "controller-uid": "u", "job-name": "a" } } },
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"controller-uid":"u", "job-name":"a"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
    ],
  ])("with %j is refused", (changes, message) => {
    expect(updateErrors({}, changes)).toEqual([message]);
  });

  test("allows parallelism, deadlines, limits, time to live and suspension", () => {
    const changes = {
      parallelism: 3,
      activeDeadlineSeconds: 5,
      backoffLimit: 1,
      ttlSecondsAfterFinished: 1,
      suspend: true,
    };
    expect(updateErrors({}, changes)).toEqual([]);
  });

  const labels = { "controller-uid": "u", "job-name": "a" };
  const moved = {
    metadata: { labels: { ...labels, tier: "b" } },
    spec: {
      ...podSpec,
      nodeSelector: { disk: "fast" },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "Exists" }] }],
          },
        },
      },
    },
  };

  test("moves a suspended job to other nodes until it starts", () => {
    expect(updateErrors({ suspend: true }, { template: moved })).toEqual([]);
    expect(updateErrors({ suspend: false }, { template: moved })).toHaveLength(1);
    const started = { startTime: "2022-01-01T00:00:00Z" };
    expect(updateErrors({ suspend: true }, { template: moved }, started)).toHaveLength(1);
    const image = { ...moved, spec: { ...moved.spec, containers: [{ name: "c", image: "j" }] } };
    expect(updateErrors({ suspend: true }, { template: image })).toEqual([
      expect.stringMatching(/^spec\.template: Invalid value: .*: field is immutable$/),
    ]);
  });

  test("does not start to track an old job", () => {
    const old = decoded(definition, { spec: { template } });
    definition.strategy.prepareForCreate(write, old);
    old.metadata.annotations = undefined;
    const object = decoded(definition, encoded(definition, old), { annotations: { [tracking]: "" } });
    const errors = definition.strategy.validateUpdate(write, object, old);
    expect(errors.map(({ field, body }) => `${field}: ${body}`)).toEqual([
      `metadata.annotations[${tracking}]: Forbidden: cannot add this annotation`,
    ]);
  });

  test.each([
    [{ active: -1 }, ["status.active: Invalid value: -1: must be greater than or equal to 0"]],
    [
      { uncountedTerminatedPods: { succeeded: ["x", ""], failed: ["x"] } },
      [
        'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[0]: Duplicate value: "x"',
      ],
    ],
  ])("whose status has %j is refused", (status, expected) => {
    const part = definition.subresources.find((subresource) => subresource.name === "status");
    if (part?.kind !== "part") throw new Error("no status");
    const old = decoded(definition, { spec: { template } });
    const object = decoded(definition, { spec: { template }, status });
    expect(
      part.strategy.validateUpdate(write, object, old).map(({ field, body }) => `${field}: ${body}`),
    ).toEqual(expected);
  });
});

describe("cron jobs", () => {
  const definition = definitionOf("cronjobs");
  const jobTemplate = { spec: { template } };
  const spec = { schedule: "*/5 * * * *", jobTemplate };

  test("default what is not said; jobs of theirs get their defaults later", () => {
    const object = encoded(definition, created(definition, { spec }));
    expect(object).toMatchObject({
      spec: {
        concurrencyPolicy: "Allow",
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      },
    });
    expect(object).not.toHaveProperty("spec.jobTemplate.spec.completions");
    expect(createErrors("cronjobs", spec)).toEqual([]);
  });

  test.each([
    [{ schedule: "" }, "spec.schedule: Required value"],
    [
      { schedule: "* * *" },
      'spec.schedule: Invalid value: "* * *": expected exactly 5 fields, found 3: [* * *]',
    ],
    [
      { concurrencyPolicy: "Other" },
      'spec.concurrencyPolicy: Unsupported value: "Other": supported values: "Allow", "Forbid", "Replace"',
    ],
    [
      { startingDeadlineSeconds: -1 },
      "spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
    ],
    [
      { failedJobsHistoryLimit: -1 },
      "spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0",
    ],
    [
      { jobTemplate: { spec: { template, manualSelector: true } } },
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ],
    [
      { jobTemplate: { spec: { template, selector: { matchLabels: { a: "b" } } } } },
      'spec.jobTemplate.spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"a":"b"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: `selector` will be auto-generated',
    ],
  ])("with %j are refused", (changes, message) => {
    expect(createErrors("cronjobs", { ...spec, ...changes })).toEqual([message]);
  });

  test("have short names, unless they are old", () => {
    const name = "n".repeat(53);
    expect(createErrors("cronjobs", spec, { name })).toEqual([
      `metadata.name: Invalid value: "${name}": must be no more than 52 characters`,
    ]);
    const old = created(definition, { spec }, { name });
    expect(definition.strategy.validateUpdate(write, created(definition, { spec }, { name }), old)).toEqual(
      [],
    );
  });

  test("are the same in both versions", () => {
    const hub = created(definition, { spec });
    for (const version of definition.versions) {
      const form = convertFromHub(version, hub);
      expect(JSON.parse(version.codec.toJson(form))).toEqual(encoded(definition, hub));
    }
  });
});

describe("rows", () => {
  const now = new Date("2022-01-01T00:01:40Z");

  function row(resource: string, body: Json, level: ApiLevel = "1.23"): unknown {
    const definition = definitionOf(resource, batchResources(testApiContext({ level })));
    const object = decoded(definition, body, { creationTimestamp: "2022-01-01T00:00:00Z" });
    return definitionAtLevel(definition, level)?.columns?.cells(object, now);
  }

  test.each([
    [{ completions: 3 }, { succeeded: 1, startTime: "2022-01-01T00:01:00Z" }, ["1/3", "40s"]],
    [{ parallelism: 4 }, {}, ["0/1 of 4", ""]],
    [{ parallelism: 1 }, {}, ["0/1", ""]],
    [
      { completions: 1 },
      { succeeded: 1, startTime: "2022-01-01T00:01:00Z", completionTime: "2022-01-01T00:01:05Z" },
      ["1/1", "5s"],
    ],
  ])("of a job with %j and %j", (spec, status, cells) => {
    expect(row("jobs", { spec: { template, ...spec }, status })).toEqual([
      "a",
      ...cells,
      "100s",
      "c",
      "i",
      "<none>",
    ]);
  });

  test.each([
    [{ conditions: [{ type: "Complete", status: "True" }] }, "Complete"],
    [
      {
        conditions: [
          { type: "Suspended", status: "True" },
          { type: "Failed", status: "True" },
        ],
      },
      "Failed",
    ],
    [{ conditions: [{ type: "Suspended", status: "True" }] }, "Suspended"],
    [{ conditions: [{ type: "Complete", status: "False" }] }, "Running"],
  ])("of a job say its status since 1.30: %j", (status, cell) => {
    const body = { spec: { template }, status };
    expect(row("jobs", body, "1.30")).toEqual(["a", cell, "0/1", "", "100s", "c", "i", "<none>"]);
    expect(row("jobs", body, "1.29")).toEqual(["a", "0/1", "", "100s", "c", "i", "<none>"]);
  });

  test("of a cron job say its time zone since 1.30", () => {
    const spec = { schedule: "@daily", timeZone: "Etc/UTC", jobTemplate: { spec: { template } } };
    const later = row("cronjobs", { spec, status: {} }, "1.30");
    expect(later).toEqual(["a", "@daily", "Etc/UTC", "False", 0, "<none>", "100s", "c", "i", "<none>"]);
    expect(row("cronjobs", { spec, status: {} }, "1.29")).not.toContain("Etc/UTC");
  });

  test("of a cron job", () => {
    const spec = { schedule: "@daily", jobTemplate: { spec: { template } } };
    const status = { active: [{ name: "j" }], lastScheduleTime: "2022-01-01T00:01:30Z" };
    expect(row("cronjobs", { spec, status })).toEqual([
      "a",
      "@daily",
      "False",
      1,
      "10s",
      "100s",
      "c",
      "i",
      "<none>",
    ]);
  });
});
