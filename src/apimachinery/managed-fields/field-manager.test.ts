import fc from "fast-check";
import { expect, test } from "vitest";
import { StatusError } from "../errors/status.js";
import { printJson } from "../json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import type { ManagedFieldsEntry } from "../objects/meta.js";
import { exampleDeclarations, linkExample } from "../patch/testing/example-types.js";
import { deducedType, type MergeType, MergeTypes, type StructType } from "../schema/merge-type.js";
import { structType } from "../schema/testing/struct-type.js";
import { atOnce } from "../testing/at-once.js";
import { extractSet } from "./extract-set.js";
import type { Applied } from "./field-applier.js";
import { withoutFields } from "./field-filter.js";
import { FieldManager } from "./field-manager.js";
import { fieldManagerName } from "./field-manager-name.js";

import type { RequestedConversion } from "./object-versions.js";
import { printPath } from "./path-element.js";
import { parseFieldSet } from "./read-field-set.js";
import type { TrackedWrite } from "./tracked-write.js";
import { pathsOf } from "./written-order.js";

const schema = linkExample(exampleDeclarations, "example/v1.Workload");
const types = new MergeTypes({ mayOmitKeys: false });
const v1 = types.of(schema);
const annotation = "example.com/last-applied";
const options = { lastAppliedAnnotation: annotation };

/** `example/v2` calls replicas `size`. */
const v2: StructType = {
  ...v1,
  kind: "struct",
  atomic: false,
  others: undefined,
  field: (name) => {
    const field = v1.field(name);
    if (name !== "spec" || field?.type.kind !== "struct") return field;
    const spec = field.type;
    const renamed: StructType = {
      kind: "struct",
      atomic: false,
      others: undefined,
      field: (inner) =>
        inner === "size" ? spec.field("replicas") : inner === "replicas" ? undefined : spec.field(inner),
    };
    return { ...field, type: renamed };
  },
};

function convert(object: JsonObject, { from, to }: Pick<RequestedConversion, "from" | "to">): JsonObject {
  const [old, renamed] =
    from === "example/v1" && to === "example/v2" ? ["replicas", "size"] : ["size", "replicas"];
  const { spec } = object;
  if (from === to || !isJsonObject(spec) || old === undefined || renamed === undefined) return object;
  const { [old]: value, ...rest } = spec;
  return { ...object, spec: value === undefined ? rest : { ...rest, [renamed]: value } };
}

const manager = new FieldManager(
  {
    typeAt: (apiVersion) => (apiVersion === "example/v1" ? v1 : apiVersion === "example/v2" ? v2 : undefined),
    convert,
  },
  options,
);

/** Of a kind that answers for managers of versions which it does not have. */
const strictManager = new FieldManager(
  {
    typeAt: (apiVersion) => (apiVersion === "example/v1" ? v1 : undefined),
    convert,
    refuseManagerAt: (apiVersion) => new StatusError({ message: `no ${apiVersion}`, code: 500 }),
  },
  options,
);

const scope = { signal: new AbortController().signal };
const start = Date.parse("2024-01-01T00:00:00Z");

/** Applies writes to one object, one minute apart. */
class Story {
  object: JsonObject | undefined;
  minute = 0;

  update(by: string, change: (object: JsonObject) => JsonObject, write: Partial<TrackedWrite> = {}): this {
    const updated = change(this.object ?? { metadata: {} });
    const managedFields = atOnce(manager.update(this.object, updated, this.#write(by, write)));
    this.object = withManagedFields(updated, managedFields, "1");
    return this;
  }

  tryApply(by: string, config: JsonObject, write: Partial<TrackedWrite & { force: boolean }> = {}): Applied {
    const full = { apiVersion: write.apiVersion ?? "example/v1", kind: "Workload", ...config };
    return atOnce(manager.apply(this.object, full, { force: false, ...this.#write(by, write), ...write }));
  }

  apply(by: string, config: JsonObject, write: Partial<TrackedWrite & { force: boolean }> = {}): this {
    const applied = this.tryApply(by, config, write);
    this.object = withManagedFields(applied.object, applied.managedFields, "1");
    return this;
  }

  refusal(by: string, config: JsonObject, write: Partial<TrackedWrite> = {}): StatusError {
    try {
      this.tryApply(by, config, write);
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
    throw new Error("the apply went through");
  }

  get spec(): JsonValue | undefined {
    return this.object?.spec;
  }

  get metadata(): JsonObject {
    const metadata = this.object?.metadata;
    return isJsonObject(metadata) ? metadata : {};
  }

  get entries(): readonly ManagedFieldsEntry[] {
    const metadata = this.object?.metadata;
    const entries = isJsonObject(metadata) ? metadata.managedFields : [];
    return Array.isArray(entries) ? entries : [];
  }

  /** `manager/operation` → paths. */
  get owners(): Record<string, string[]> {
    return Object.fromEntries(
      this.entries.map((entry) => [
        [entry.manager, entry.operation, entry.subresource].filter(Boolean).join("/"),
        pathsOf(parseFieldSet(entry.fieldsV1 ?? {})).map(printPath),
      ]),
    );
  }

  #write(by: string, write: Partial<TrackedWrite>): TrackedWrite {
    this.minute++;
    return {
      manager: by,
      apiVersion: "example/v1",
      subresource: "",
      now: new Date(start + this.minute * 60_000),
      scope,
      ...write,
    };
  }
}

function withManagedFields(
  object: JsonObject,
  entries: readonly ManagedFieldsEntry[],
  uid: string,
): JsonObject {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  const managedFields: JsonValue = JSON.parse(printJson(entries as JsonValue));
  return { ...object, metadata: { ...metadata, uid, managedFields } };
}

const named = { metadata: { name: "x" } };
const set = (spec: JsonObject) => (object: JsonObject) => ({
  ...object,
  spec: { ...(isJsonObject(object.spec) ? object.spec : {}), ...spec },
});

test("a created object is owned by its creator, except for identity and bookkeeping fields", () => {
  const story = new Story().update("creator", () => ({
    metadata: {
      name: "x",
      namespace: "n",
      uid: "u",
      generation: 1,
      creationTimestamp: "2024-01-01T00:00:00Z",
      labels: { a: "b" },
    },
    spec: { replicas: 1, strategy: { type: "A" }, containers: [{ name: "c", image: "i", resources: {} }] },
    status: {},
  }));
  expect(story.entries).toEqual([
    {
      manager: "creator",
      operation: "Update",
      apiVersion: "example/v1",
      time: "2024-01-01T00:01:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
        "f:spec": {
          "f:containers": { 'k:{"name":"c"}': { ".": {}, "f:image": {}, "f:name": {}, "f:resources": {} } },
          "f:replicas": {},
          "f:strategy": { "f:type": {} },
        },
      },
    },
  ]);
  expect(JSON.stringify(story.entries[0]?.fieldsV1)).toMatch(
    /^\{"f:metadata".*"f:spec":\{"f:containers".*"f:replicas".*"f:strategy"/,
  );
});

test("an update that changes nothing leaves managed fields alone, time included", () => {
  const story = new Story().update("a", set({ replicas: 1 }));
  const before = story.entries;
  expect(story.update("b", (object) => ({ ...object, status: {} })).entries).toEqual(before);
});

test("an update takes what it changes, and its time moves when it comes to own more", () => {
  const story = new Story().update("a", set({ replicas: 1, args: ["x"] })).update("b", set({ replicas: 2 }));
  const times = (): unknown[] => story.entries.map((entry) => entry.time);
  const second = ["2024-01-01T00:01:00Z", "2024-01-01T00:02:00Z"];
  expect([story.owners, times()]).toEqual([
    { "a/Update": [".spec.args"], "b/Update": [".spec.replicas"] },
    second,
  ]);
  story.update("b", set({ replicas: 3 }));
  expect(times()).toEqual(second);
  story.update("b", set({ args: ["y"] }));
  expect(times()).toEqual(["2024-01-01T00:04:00Z"]);
});

test("an apply that changes only ownership gets a new timestamp", () => {
  const story = new Story().apply("a", { spec: { replicas: 1, args: ["x"] } });
  const times = (): unknown[] => story.entries.map(({ manager, time }) => [manager, time]);
  story.apply("b", { spec: { replicas: 1 } });
  expect(times()).toEqual([
    ["a", "2024-01-01T00:01:00Z"],
    ["b", "2024-01-01T00:02:00Z"],
  ]);
  story.apply("b", { spec: { replicas: 1 } });
  expect(times()).toEqual([
    ["a", "2024-01-01T00:01:00Z"],
    ["b", "2024-01-01T00:02:00Z"],
  ]);
  story.apply("a", { spec: { args: ["x"] } });
  expect(times()).toEqual([
    ["b", "2024-01-01T00:02:00Z"],
    ["a", "2024-01-01T00:04:00Z"],
  ]);
});

test("removed fields are owned by nobody", () => {
  const story = new Story()
    .update("a", set({ replicas: 1, args: ["x"] }))
    .update("b", () => ({ metadata: {}, spec: { args: ["x"] } }));
  expect(story.owners).toEqual({ "a/Update": [".spec.args"] });
});

test("two versions of one updater are two managers", () => {
  const story = new Story()
    .update("a", set({ replicas: 1 }))
    .update(
      "a",
      (object) => ({ ...object, metadata: { ...(object.metadata as JsonObject), labels: { x: "y" } } }),
      { subresource: "status" },
    );
  expect(Object.keys(story.owners)).toEqual(["a/Update", "a/Update/status"]);
});

test("applying creates, and applying again changes nothing at all", () => {
  const config = {
    ...named,
    spec: { replicas: 1, containers: [{ name: "c", ports: [{ containerPort: 80 }] }] },
  };
  const story = new Story().apply("a", config);
  const first = story.object;
  expect(story.owners["a/Apply"]).toEqual([
    ".spec.replicas",
    '.spec.containers[name="c"]',
    '.spec.containers[name="c"].name',
    '.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"]',
    '.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"].containerPort',
  ]);
  const again = story.tryApply("a", config);
  expect(again.changed).toBe(false);
  expect(withManagedFields(again.object, again.managedFields, "1")).toEqual(first);
});

test("another owner's value is a conflict, the same value is shared", () => {
  const story = new Story().apply("a", { ...named, spec: { replicas: 1 } });
  expect(story.refusal("b", { ...named, spec: { replicas: 2 } }).status).toEqual({
    metadata: {},
    status: "Failure",
    reason: "Conflict",
    code: 409,
    message: 'Apply failed with 1 conflict: conflict with "a": .spec.replicas',
    details: {
      causes: [{ reason: "FieldManagerConflict", message: 'conflict with "a"', field: ".spec.replicas" }],
    },
  });
  story.apply("b", { ...named, spec: { replicas: 1 } });
  expect(story.owners).toEqual({ "a/Apply": [".spec.replicas"], "b/Apply": [".spec.replicas"] });
});

test("several conflicts are listed by manager", () => {
  const story = new Story()
    .update("kubectl-client-side-apply", set({ replicas: 1, args: ["x"] }))
    .apply("b", { ...named, spec: { strategy: { type: "A" } } })
    .update("c", set({ numbers: [1] }), { subresource: "scale" });
  expect(story.refusal("z", { ...named, spec: { replicas: 2 } }).message).toBe(
    'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using example/v1: .spec.replicas',
  );
  const refusal = story.refusal("z", {
    ...named,
    spec: { replicas: 2, args: ["y"], strategy: { type: "B" }, numbers: [1] },
  });
  expect(refusal.message).toBe(
    [
      'Apply failed with 3 conflicts: conflicts with "b":',
      "- .spec.strategy.type",
      'conflicts with "kubectl-client-side-apply" using example/v1:',
      "- .spec.args",
      "- .spec.replicas",
    ].join("\n"),
  );
  expect(refusal.status.details?.causes).toHaveLength(3);
  story.update("c", set({ weights: { a: 1 } }), { subresource: "scale" });
  expect(story.refusal("z", { ...named, spec: { weights: { a: 2 } } }).message).toContain(
    'conflict with "c" with subresource "scale" using example/v1: .spec.weights',
  );
});

test("force takes the field from its owner", () => {
  const story = new Story()
    .apply("a", { ...named, spec: { replicas: 1, args: ["x"] } })
    .apply("b", { ...named, spec: { replicas: 2 } }, { force: true });
  expect(story.spec).toEqual({ replicas: 2, args: ["x"] });
  expect(story.owners).toEqual({ "a/Apply": [".spec.args"], "b/Apply": [".spec.replicas"] });
});

test("fields that an applier omits are removed, unless another manager owns them", () => {
  const story = new Story()
    .apply("a", { ...named, spec: { replicas: 1, args: ["x"], containers: [{ name: "c" }, { name: "d" }] } })
    .apply("b", { ...named, spec: { args: ["x"], containers: [{ name: "d" }] } })
    .apply("a", { ...named, spec: { containers: [{ name: "c" }] } });
  expect(story.spec).toEqual({ args: ["x"], containers: [{ name: "c" }, { name: "d" }] });
  expect(story.owners["b/Apply"]).toContain(".spec.args");
});

test("defaulted fields of an item stay with the item, and are removed with it", () => {
  const story = new Story().apply("a", { ...named, spec: { containers: [{ name: "c" }, { name: "d" }] } });
  story.object = {
    ...story.object,
    spec: {
      replicas: 1,
      containers: [
        { name: "c", image: "default" },
        { name: "d", image: "default" },
      ],
    },
  };
  story.apply("a", { ...named, spec: { containers: [{ name: "c" }] } });
  expect(story.spec).toEqual({ replicas: 1, containers: [{ name: "c", image: "default" }] });
});

test("an item goes with its applier, even if an updater changed something in it", () => {
  const story = new Story()
    .apply("a", { ...named, spec: { containers: [{ name: "c", image: "1" }] } })
    .update("u", set({ containers: [{ name: "c", image: "2" }] }))
    .apply("a", { ...named, spec: {} });
  expect(story.spec).toEqual({ containers: null });
  expect(story.owners).toEqual({ "a/Apply": [".spec"] });
});

test("sets are owned item by item, atomic values as a whole", () => {
  const story = new Story()
    .apply("a", {
      metadata: { name: "x", finalizers: ["one"] },
      spec: { weights: { a: 1 }, selector: { matchLabels: { a: "b" } } },
    })
    .apply("b", { metadata: { name: "x", finalizers: ["two"] } });
  expect(story.metadata.finalizers).toEqual(["one", "two"]);
  expect(story.refusal("b", { ...named, spec: { weights: { b: 2 } } }).message).toContain(".spec.weights");
  expect(story.refusal("b", { ...named, spec: { selector: {} } }).message).toContain(".spec.selector");
  story.apply("a", named);
  expect(story.metadata.finalizers).toEqual(["two"]);
});

test("items are told apart by all of their keys", () => {
  const ports = (...list: JsonObject[]) => ({ ...named, spec: { containers: [{ name: "c", ports: list }] } });
  const story = new Story()
    .apply("a", ports({ containerPort: 53, name: "tcp" }))
    .apply("b", ports({ containerPort: 53, protocol: "UDP", name: "udp" }));
  expect(story.spec).toEqual({
    containers: [
      {
        name: "c",
        ports: [
          { containerPort: 53, name: "tcp" },
          { containerPort: 53, protocol: "UDP", name: "udp" },
        ],
      },
    ],
  });
  expect(story.refusal("b", ports({ containerPort: 53, protocol: "TCP", name: "x" })).message).toContain(
    '.spec.containers[name="c"].ports[containerPort=53,protocol="TCP"].name',
  );
});

test("duplicate items from other writes stay until an apply names them", () => {
  const story = new Story();
  const twice = [
    { name: "c", image: "1" },
    { name: "c", image: "2" },
  ];
  story.update("client", () => ({ ...named, spec: { containers: twice } }));
  // As in Kubernetes, no manager owns them.
  expect(story.owners).toEqual({});
  story.object = withManagedFields(story.object ?? {}, [], "1");
  story.apply("a", { ...named, spec: { containers: [{ name: "d" }] } });
  expect(story.spec).toEqual({ containers: [...twice, { name: "d" }] });
  expect(story.owners["before-first-apply/Update"]).toContain('.spec.containers[name="c"]');
  expect(story.refusal("a", { ...named, spec: { containers: [{ name: "c" }] } }).message).toContain(
    'conflict with "before-first-apply" using example/v1: .spec.containers[name="c"]',
  );
  story.apply("a", { ...named, spec: { containers: [{ name: "c" }] } }, { force: true });
  expect(story.spec).toEqual({ containers: [{ name: "c" }] });
  story.apply("a", named);
  expect(story.spec).toBeUndefined();
});

test("a configuration of a version that takes anything is refused when it does not fit that of another manager", () => {
  const text = { kind: "scalar", scalar: "string" } as const;
  const element = structType(new Map([["id", text]]));
  const items = { kind: "list", relation: "map", keys: ["id"], mayOmitKeys: false, element } as const;
  const metadata = deducedType;
  const strict = structType(
    new Map<string, MergeType>([
      ["metadata", metadata],
      ["items", items],
    ]),
  );
  const converting = new FieldManager(
    { typeAt: (apiVersion) => (apiVersion === "example/v1" ? strict : deducedType), convert: (o) => o },
    options,
  );
  const write = { subresource: "", now: new Date(start), scope, force: false };
  const config = (minor: number, list: JsonValue) => ({
    apiVersion: `example/v${minor}`,
    ...named,
    items: list,
  });
  const byV1 = { ...write, manager: "a", apiVersion: "example/v1" };
  const { object, managedFields } = atOnce(converting.apply(undefined, config(1, [{ id: "x" }]), byV1));
  const live = withManagedFields(object, managedFields, "1");
  const byV2 = { ...write, manager: "b", apiVersion: "example/v2" };
  expect(() => atOnce(converting.apply(live, config(2, [{}]), byV2))).toThrow(
    expect.objectContaining({
      code: 400,
      message: expect.stringMatching(/^failed to convert new object: .*omits key field "id"/),
    }),
  );
});

test("a configuration that does not fit is refused in Kubernetes' words", () => {
  const story = new Story();
  const items = {
    metadata: { name: "x", namespace: "n" },
    spec: { containers: [{ name: "c" }, { name: "c" }] },
  };
  const refusal = story.refusal("a", items);
  expect(refusal.code).toBe(400);
  expect(refusal.message).toBe(
    'failed to create typed patch object (n/x; example/v1, Kind=Workload): .spec.containers: duplicate entries for key [name="c"]',
  );
  expect(story.refusal("a", { ...named, spec: { odd: 1 } }).message).toContain(
    ".spec.odd: field not declared in schema",
  );
  expect(story.refusal("a", { apiVersion: "example/v2", ...named }).status).toMatchObject({
    code: 400,
    message:
      "Incorrect version specified in apply patch. Specified patch version: example/v2, expected: example/v1",
  });
  expect(story.refusal("a", { metadata: { name: "x", managedFields: [] } }).message).toBe(
    "metadata.managedFields must be nil",
  );
});

test("an object that its type cannot describe is not tracked any further", () => {
  const story = new Story().update("a", set({ numbers: [1] }));
  expect(story.update("b", set({ numbers: [1, 2, 2], replicas: 1 })).entries).toEqual([]);
});

test("from 1.29 on, items that repeat are tracked as one", () => {
  const tracking = new FieldManager({ typeAt: () => v1, convert }, { ...options, repeats: "whole" });
  const write = { manager: "m", apiVersion: "example/v1", subresource: "", now: new Date(start), scope };
  const entries = atOnce(tracking.update(undefined, { metadata: {}, spec: { numbers: [2, 2] } }, write));
  expect(entries.map(({ fieldsV1 }) => fieldsV1)).toEqual([
    { "f:spec": { "f:numbers": { ".": {}, "v:2": {} } } },
  ]);
});

test("an empty list is something else than none", () => {
  const story = new Story().update("a", set({ args: null }));
  expect(story.update("b", set({ args: [] })).owners["b/Update"]).toEqual([".spec.args"]);
});

test("what holds nothing but empty lists goes with the last field that its applier gives up", () => {
  const story = new Story().apply("a", { ...named, spec: { args: ["x"], numbers: [] } });
  story.update("b", set({ replicas: 1 }));
  story.apply("a", { ...named, spec: {} });
  expect(story.spec).toEqual({ numbers: [], replicas: 1 });
  const alone = new Story().apply("a", { ...named, spec: { args: ["x"], numbers: [] } });
  alone.apply("a", { ...named, spec: {} });
  expect(alone.object).not.toHaveProperty("spec");
});

test("the first apply of an untracked object conflicts with a before-first-apply manager", () => {
  const story = new Story();
  story.object = { metadata: { name: "x", uid: "1" }, spec: { replicas: 1, args: ["x"] } };
  expect(story.update("u", set({ replicas: 2 })).entries).toEqual([]);
  expect(story.refusal("a", { ...named, spec: { replicas: 3 } }).message).toBe(
    'Apply failed with 1 conflict: conflict with "before-first-apply" using example/v1: .spec.replicas',
  );
  story.apply("a", { ...named, spec: { replicas: 3 } }, { force: true });
  expect(story.owners).toEqual({
    "a/Apply": [".spec.replicas"],
    "before-first-apply/Update": [".spec.args"],
  });
});

test("a client that used client-side apply takes over its own fields", () => {
  const lastApplied = JSON.stringify({
    apiVersion: "example/v1",
    kind: "Workload",
    ...named,
    spec: { replicas: 1, args: ["x"] },
  });
  const story = new Story().update("kubectl-client-side-apply", () => ({
    metadata: { name: "x", annotations: { [annotation]: lastApplied } },
    spec: { replicas: 1, args: ["x"] },
  }));
  expect(story.refusal("other", { ...named, spec: { replicas: 2 } }).code).toBe(409);
  story.apply("kubectl", { ...named, spec: { replicas: 2 } });
  expect(story.spec).toEqual({ replicas: 2, args: ["x"] });
  expect(story.owners["kubectl/Apply"]).toEqual([".spec.replicas"]);
  const { annotations } = story.metadata;
  expect(annotations).toEqual({
    [annotation]:
      '{"apiVersion":"example/v1","kind":"Workload","metadata":{"name":"x"},"spec":{"replicas":2}}\n',
  });
  story.update("someone", set({ args: ["y"] }));
  expect(story.refusal("kubectl", { ...named, spec: { replicas: 2, args: ["z"] } }).message).toContain(
    'conflict with "someone" using example/v1: .spec.args',
  );
});

test("an annotation of that client's that is itself applied is not kept inside it", () => {
  const story = new Story().apply("kubectl", {
    metadata: { name: "x", annotations: { [annotation]: "own" } },
  });
  expect(story.metadata.annotations).toEqual({
    [annotation]: '{"apiVersion":"example/v1","kind":"Workload","metadata":{"annotations":{},"name":"x"}}\n',
  });
});

test("reset fields are neither owned nor in conflict", () => {
  const ownable = () => withoutFields(["status"]);
  const story = new Story()
    .update("kubelet", (object) => ({ ...object, status: { replicas: 1 } }), {
      subresource: "status",
      ownable: () => withoutFields(["spec"]),
    })
    .apply("a", { ...named, spec: { replicas: 1 }, status: { replicas: 2 } }, { ownable });
  expect(story.owners).toEqual({
    "a/Apply": [".spec.replicas"],
    "kubelet/Update/status": [".status.replicas"],
  });
});

test("each manager's fields are in its own version", () => {
  const story = new Story().apply("a", { ...named, spec: { size: 1 } }, { apiVersion: "example/v2" });
  story.object = convert(story.object ?? {}, { from: "example/v2", to: "example/v1" });
  expect(story.refusal("b", { ...named, spec: { replicas: 2 } }).message).toContain(".spec.size");
  story.update("u", set({ replicas: 5 }));
  expect(story.owners).toEqual({ "u/Update": [".spec.replicas"] });
  story.apply("a", { ...named, spec: { replicas: 5, args: ["x"] } });
  story.object = convert(story.object ?? {}, { from: "example/v1", to: "example/v2" });
  story.apply("a", { ...named, spec: { size: 5 } }, { apiVersion: "example/v2" });
  expect(story.spec).toEqual({ size: 5 });
  expect(story.entries.map((entry) => entry.apiVersion)).toEqual(["example/v2", "example/v1"]);
});

test("managers of a version that is gone are forgotten", () => {
  const story = new Story().update("a", set({ replicas: 1 }));
  const metadata = story.metadata;
  const [entry] = metadata.managedFields as JsonObject[];
  story.object = {
    ...story.object,
    metadata: { ...metadata, managedFields: [{ ...entry, apiVersion: "example/v0" }] },
  };
  expect(Object.keys(story.update("b", set({ args: ["x"] })).owners)).toEqual(["b/Update"]);
});

test("beyond ten, the oldest update managers are merged", () => {
  const story = new Story();
  for (let index = 0; index < 13; index++) {
    const name = `m${String(index).padStart(2, "0")}`;
    story.update(name, (object) => {
      const metadata = object.metadata as JsonObject;
      const labels = isJsonObject(metadata.labels) ? metadata.labels : {};
      return { ...object, metadata: { ...metadata, labels: { ...labels, [name]: "x" } } };
    });
  }
  expect(Object.keys(story.owners)).toEqual([
    "ancient-changes/Update",
    ...["m04", "m05", "m06", "m07", "m08", "m09", "m10", "m11", "m12"].map((name) => `${name}/Update`),
  ]);
  expect(story.owners["ancient-changes/Update"]).toEqual([
    ".metadata.labels",
    ...["m00", "m01", "m02", "m03"].map((name) => `.metadata.labels.${name}`),
  ]);
});

test("a request may reset or replace managers, but not break them or do so through a subresource", () => {
  const story = new Story().update("a", set({ replicas: 1 }));
  const before = story.entries;
  const withEntries = (managedFields: JsonValue) => (object: JsonObject) => ({
    ...object,
    metadata: { ...(object.metadata as JsonObject), managedFields },
  });
  expect(story.update("b", withEntries([{ manager: "x", operation: "Odd" }])).entries).toEqual(before);
  expect(story.update("b", withEntries([{}]), { subresource: "status" }).entries).toEqual(before);
  expect(new Story().update("a", set({ replicas: 1 })).update("b", withEntries([])).entries).toEqual([]);
  const mine = {
    manager: "x",
    operation: "Apply",
    apiVersion: "example/v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:replicas": {} } },
  };
  for (const fieldsV1 of [[], "text", 5, true]) {
    expect(story.update("b", withEntries([{ ...mine, fieldsV1 }])).entries).toEqual(before);
  }
  expect(story.update("b", withEntries([mine])).owners).toEqual({ "x/Apply": [".spec.replicas"] });
  const odd = [
    { ...mine, manager: "plain", fieldsV1: { ".": {}, "f:spec": { ".": {} } } },
    { ...mine, manager: "unknown version", apiVersion: "example/v0" },
    { ...mine, manager: "nothing", fieldsV1: {} },
    ...Array.from({ length: 12 }, (_, n) => ({ ...mine, operation: "Update", manager: `m${n + 10}` })),
  ];
  const replaced = story.update("b", withEntries(odd)).entries;
  expect(replaced[0]).toMatchObject({ manager: "plain", fieldsV1: { "f:spec": {} } });
  const updaters = ["ancient-changes", ...Array.from({ length: 9 }, (_, n) => `m${n + 13}`)];
  expect(replaced.map((entry) => entry.manager)).toEqual(["plain", ...updaters]);
  expect(story.update("b", withEntries([{}])).entries).toEqual([]);
});

test.each([true, false])(
  "what the strategy will reset dates an entry if any difference does: %s",
  (changesBySight) => {
    const sighted = new FieldManager(
      { typeAt: () => v1, convert: (object) => object },
      { ...options, datesValues: true, changesBySight },
    );
    const live = { metadata: { uid: "u", labels: { a: "b" } }, spec: { replicas: 1 } };
    const write = { ...testWrite("a"), ownable: () => withoutFields(["spec"]), force: false };
    const config = { apiVersion: "example/v1", kind: "Workload", ...live, spec: { replicas: 2 } };
    const { managedFields, changed } = atOnce(sighted.apply(live, config, write));
    expect(changed).toBe(changesBySight);
    expect(managedFields.find(({ manager }) => manager === "a")?.time !== undefined).toBe(changesBySight);
  },
);

test("fields of other versions are tracked alike where conversions are waited for", async () => {
  const waiting = new FieldManager(
    {
      typeAt: (apiVersion) => (apiVersion === "example/v1" ? v1 : v2),
      convert: async (...all) => convert(...all),
    },
    options,
  );
  const story = new Story().apply(
    "a",
    { ...named, spec: { size: 1, strategy: { type: "A" } } },
    { apiVersion: "example/v2" },
  );
  story.object = convert(story.object ?? {}, { from: "example/v2", to: "example/v1" });
  story.update("b", set({ args: ["x"] }));
  const object = story.object ?? {};

  const changed = { ...object, ...set({ replicas: 3 })(object) };
  const updating = waiting.update(object, changed, testWrite("b"));
  expect(updating).toBeInstanceOf(Promise);
  expect(await updating).toEqual(atOnce(manager.update(object, changed, testWrite("b"))));

  // What `a` gives up in one version is removed in the other.
  const less = { apiVersion: "example/v1", kind: "Workload", ...named, spec: { replicas: 1 } };
  const apply = { ...testWrite("a"), force: false };
  const applying = waiting.apply(object, less, apply);
  expect(applying).toBeInstanceOf(Promise);
  const applied = await applying;
  expect(applied).toEqual(atOnce(manager.apply(object, less, apply)));
  expect(applied.object.spec).toEqual({ replicas: 1, args: ["x"] });
});

test("an object is no longer tracked if it cannot be converted for its managers, unless its write has ended", async () => {
  const ended = new AbortController();
  const failing = (error: Error) =>
    new FieldManager(
      {
        typeAt: (apiVersion) => (apiVersion === "example/v1" ? v1 : v2),
        convert: () => Promise.reject(error),
      },
      options,
    );
  const story = new Story().apply("a", { ...named, spec: { size: 1 } }, { apiVersion: "example/v2" });
  story.object = convert(story.object ?? {}, { from: "example/v2", to: "example/v1" });
  const object = story.object;
  const updated = (error: Error, write: Partial<TrackedWrite> = {}) =>
    failing(error).update(object, set({ args: ["x"] })(object), { ...testWrite("b"), ...write });
  const refusal = new StatusError({ message: "the webhook is down", code: 500 });
  expect(await updated(refusal)).toEqual([]);
  ended.abort();
  await expect(updated(refusal, { scope: { signal: ended.signal } })).rejects.toThrow(refusal);
  await expect(updated(new TypeError("a defect"))).rejects.toThrow("a defect");
  const config = { apiVersion: "example/v1", kind: "Workload", ...named, spec: { replicas: 2 } };
  const applying = failing(refusal).apply(object, config, { ...testWrite("b"), force: false });
  await expect(applying).rejects.toThrow("the webhook is down");
});

test("objects without a schema merge by the types of their values", () => {
  const free = new FieldManager({ typeAt: () => deducedType, convert: (object) => object }, options);
  const write = { apiVersion: "example/v1", subresource: "", now: new Date(start), scope, force: false };
  const config = (spec: JsonObject) => ({ apiVersion: "example/v1", kind: "Free", ...named, spec });
  const first = atOnce(
    free.apply(undefined, config({ a: { x: 1 }, list: [1, 2] }), { ...write, manager: "a" }),
  );
  const live = withManagedFields(first.object, first.managedFields, "1");
  const second = atOnce(free.apply(live, config({ a: { y: 2 } }), { ...write, manager: "b" }));
  expect(second.object.spec).toEqual({ a: { x: 1, y: 2 }, list: [1, 2] });
  expect(() => atOnce(free.apply(live, config({ list: [1] }), { ...write, manager: "b" }))).toThrow(
    ".spec.list",
  );
});

test.each([
  ["", "kubectl/v1.23 (linux/amd64)", "kubectl"],
  ["me", "kubectl/v1.23", "me"],
  ["", "Mozilla", "Mozilla"],
  ["", "", ""],
  ["", `${"x".repeat(200)}/1`, "x".repeat(128)],
  ["", "a\u0000b\tc/1", "abc"],
])("the manager of %j by %j is %j", (requested, userAgent, expected) => {
  expect(fieldManagerName(requested, userAgent)).toBe(expected);
});

const config = fc.record(
  {
    replicas: fc.nat(2),
    args: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
    containers: fc.uniqueArray(
      fc.record(
        { name: fc.constantFrom("a", "b", "c"), image: fc.constantFrom("1", "2") },
        { requiredKeys: ["name"] },
      ),
      { selector: (item) => item.name, maxLength: 3 },
    ),
    strategy: fc.record({ type: fc.constantFrom("A", "B") }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const asConfig = (spec: unknown): JsonObject => ({ ...named, spec: JSON.parse(JSON.stringify(spec)) });

test("applying is idempotent, whatever else happened to the object", () => {
  fc.assert(
    fc.property(config, config, config, (other, updated, mine) => {
      const story = new Story()
        .apply("other", asConfig(other))
        .update("updater", set(JSON.parse(JSON.stringify(updated))))
        .apply("me", asConfig(mine), { force: true });
      const again = story.tryApply("me", asConfig(mine));
      expect(again.changed).toBe(false);
      expect(again.managedFields).toEqual(story.entries);
    }),
  );
});

test("applying less removes exactly what nobody else owns", () => {
  // When all writes were applies, every field has an owner among the appliers.
  const ownable = (path: string) =>
    path.startsWith(".spec.") && !/^\.spec\.(strategy|containers)$/.test(path);
  fc.assert(
    fc.property(config, config, config, (other, mine, less) => {
      const story = new Story()
        .apply("other", asConfig(other))
        .apply("me", asConfig(mine), { force: true })
        .apply("me", asConfig(less), { force: true });
      const present = pathsOf(extractSet(story.object ?? {}, v1))
        .map(printPath)
        .filter(ownable);
      const owned = new Set(Object.values(story.owners).flat().filter(ownable));
      expect(present.sort()).toEqual([...owned].sort());
      const wanted = pathsOf(extractSet(asConfig(less), v1))
        .map(printPath)
        .filter(ownable);
      expect(story.owners["me/Apply"] ?? []).toEqual(expect.arrayContaining(wanted));
    }),
    { numRuns: 500 },
  );
});

const many = 20_000;
const testWrite = (by: string): TrackedWrite => ({
  manager: by,
  apiVersion: "example/v1",
  subresource: "",
  now: new Date(start),
  scope,
});
const wide = (value: number): JsonObject => ({
  spec: { extra: Object.fromEntries(Array.from({ length: many }, (_, i) => [`key${i}`, value])) },
});

test("a large object is tracked", () => {
  const created = atOnce(manager.update(undefined, { metadata: {}, ...wide(1) }, testWrite("a")));
  const object = withManagedFields({ metadata: {}, ...wide(1) }, created, "1");
  const [first, second] = atOnce(manager.update(object, { ...object, ...wide(2) }, testWrite("b")));
  expect(first?.manager).toBe("a");
  expect(second?.manager).toBe("b");
  // As text: `"f:key123":{}` for each field, within `f:spec` and `f:extra`.
  const printed = printJson(second?.fieldsV1 ?? {});
  expect(Object.keys(JSON.parse(printed)["f:spec"]["f:extra"])).toHaveLength(many);
});

test("of many conflicts some are named, and all are counted", () => {
  const story = new Story().apply("a", wide(1));
  const { status } = story.refusal("b", wide(2));
  expect(status.message).toContain(`Apply failed with ${many} conflicts: conflict`);
  expect(status.message).toMatch(new RegExp(`\\nand ${many - 1000} more$`));
  expect(status.details?.causes).toHaveLength(1000);
});

test("an object is not tracked by managed fields that cannot be stored, and cannot be applied", () => {
  const name = (i: number): string => `${"x".repeat(100)}${i}`;
  const extra = Object.fromEntries(Array.from({ length: many }, (_, i) => [name(i), 1]));
  const config = { apiVersion: "example/v1", kind: "Workload", spec: { extra } };
  expect(atOnce(manager.update(undefined, { metadata: {}, spec: { extra } }, testWrite("a")))).toEqual([]);
  expect(() => manager.apply(undefined, config, { ...testWrite("a"), force: false })).toThrow(
    "managed fields of the object would have more than 1572864 bytes",
  );
});

test("a manager of a missing version stops an apply, and an update forgets all managers, where the kind says so", () => {
  const live = withManagedFields(
    { metadata: {}, spec: { replicas: 1 } },
    ["example/v1", "example/v0"].map((apiVersion) => ({
      manager: apiVersion,
      operation: "Apply",
      apiVersion,
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:replicas": {} } },
    })),
    "1",
  );
  const write = { manager: "new", apiVersion: "example/v1", subresource: "", now: new Date(start), scope };
  const config = { apiVersion: "example/v1", kind: "Workload", spec: { replicas: 2 } };
  expect(() => strictManager.apply(live, config, { ...write, force: true })).toThrow("no example/v0");
  expect(strictManager.update(live, live, write)).toEqual([]);
  expect(strictManager.update(live, { ...live, spec: { replicas: 3 } }, write)).toEqual([]);
});

test("an object that does not fit the version of a manager is not applied, and an update forgets all managers", () => {
  const text = { kind: "scalar", scalar: "string" } as const;
  const metadata = deducedType;
  const specOf = (...fields: string[]) =>
    structType(
      new Map<string, MergeType>([
        ["metadata", metadata],
        ["spec", structType(new Map(fields.map((name) => [name, text])))],
      ]),
    );
  const types = new Map([
    ["example/v1", specOf("a", "b", "later")],
    ["example/v0", specOf("a", "b")],
  ]);
  const alike = new FieldManager(
    {
      typeAt: (apiVersion) => types.get(apiVersion),
      convert: (object) => object,
      areAlike: true,
    },
    options,
  );
  const by = (manager: string, minor: number) => {
    const apiVersion = `example/v${minor}`;
    return { manager, apiVersion, subresource: "", now: new Date(start), scope, force: false };
  };
  const config = (minor: number, spec: JsonObject) => ({ apiVersion: `example/v${minor}`, ...named, spec });
  const made = atOnce(alike.apply(undefined, config(0, { a: "1" }), by("old", 0)));
  const live = withManagedFields(made.object, made.managedFields, "1");
  const refused = (object: JsonObject, spec: JsonObject, manager: string, message: string) =>
    expect(() => atOnce(alike.apply(object, config(1, spec), by(manager, 1)))).toThrow(
      expect.objectContaining({ code: 400, message: `${message}.spec.later: field not declared in schema` }),
    );

  refused(live, { b: "1", later: "x" }, "new", "failed to convert new object: ");
  const toLast = "failed to prune fields: failed to convert merged object to last applied version: ";
  refused(live, { a: "1", later: "x" }, "old", toLast);
  const both = atOnce(alike.apply(live, config(1, { b: "1" }), by("new", 1)));
  const ofBoth = withManagedFields(both.object, both.managedFields, "1");
  const back =
    "failed to prune fields: failed add back owned items: failed to convert merged object at version example/v0: ";
  refused(ofBoth, { b: "1", later: "x" }, "new", back);

  const unfit = { ...live, spec: { a: "1", later: "x" } };
  refused(unfit, { b: "1" }, "new", "");
  expect(alike.update(unfit, unfit, by("new", 1))).toEqual([]);
  expect(alike.update(live, unfit, by("new", 1))).toEqual([]);
  expect(alike.update(live, { ...live, spec: { a: "2" } }, by("new", 1))).toHaveLength(1);
});
