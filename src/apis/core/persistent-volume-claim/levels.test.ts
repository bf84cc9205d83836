import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { type TestContextChoices, testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { persistentVolumeClaims } from "./resource.js";

const at = (level: ApiLevel, gates: TestContextChoices["gates"] = {}) =>
  kindGround(persistentVolumeClaims(testApiContext({ level, gates })), level);

const claim = (spec: JsonObject = {}, status: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", namespace: "ns", creationTimestamp: "2021-12-31T23:59:00Z", ...metadata },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } }, ...spec },
  status,
});
const bound = { phase: "Bound", capacity: { storage: "1Gi" } };

test("only one pod may use a volume, by default since 1.27", () => {
  const once = claim({ accessModes: ["ReadWriteOncePod"] });
  expect(at("1.26").createErrors(once)).toHaveLength(1);
  expect(at("1.27").createErrors(once)).toEqual([]);
  expect(at("1.35").createErrors(once)).toEqual([]);
});

describe("a source of data", () => {
  const elsewhere = { apiGroup: "example.com", kind: "Thing", name: "t", namespace: "other" };

  test("may be of any kind since 1.24", () => {
    const { namespace: _namespace, ...here } = elsewhere;
    const off = at("1.23", { AnyVolumeDataSource: false });
    expect(off.write(claim({ dataSourceRef: here })).spec.dataSourceRef).toBeUndefined();
    expect(at("1.24").write(claim({ dataSourceRef: here })).spec.dataSource).toEqual(here);
  });

  test("in another namespace is dropped as a whole while the gate is off", () => {
    expect(at("1.35").write(claim({ dataSourceRef: elsewhere })).spec.dataSourceRef).toBeUndefined();
    const on = at("1.35", { CrossNamespaceVolumeDataSource: true });
    const written = on.write(claim({ dataSourceRef: elsewhere })).spec;
    expect([written.dataSourceRef, written.dataSource]).toEqual([elsewhere, undefined]);
    expect(on.createErrors(claim({ dataSourceRef: { ...elsewhere, namespace: "A" } }))).toHaveLength(1);
    const { namespace: _namespace, ...here } = elsewhere;
    expect(
      on.updateErrors(
        claim({ dataSourceRef: elsewhere }),
        claim({ dataSource: here, dataSourceRef: elsewhere }),
      ),
    ).toContain(
      'spec: Invalid value: field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}: may not be specified when dataSourceRef.namespace is specified',
    );
  });

  test("is explained by level", () => {
    const wrong = claim({ dataSourceRef: { kind: "Thing", name: "t" } });
    expect(at("1.25").createErrors(wrong)).toContain('spec.dataSourceRef: Invalid value: "Thing"');
    expect(at("1.26").createErrors(wrong)).toContain(
      `spec.dataSourceRef: Invalid value: "Thing": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
    );
  });

  test("has a group that could be one, since 1.29, where it is new", () => {
    const source = { apiGroup: "A", kind: "Thing", name: "t" };
    const wrong = claim({ dataSource: source, dataSourceRef: source });
    expect(at("1.28").createErrors(wrong)).toEqual([]);
    expect(at("1.29").createErrors(wrong).length).toBeGreaterThan(0);
    expect(at("1.29").updateErrors(wrong, wrong)).toEqual([]);
  });
});

describe("the class of volume attributes", () => {
  const gold = claim({ volumeAttributesClassName: "gold" }, bound);
  const silver = claim({ volumeAttributesClassName: "silver" }, bound);
  const none = claim({}, bound);

  test("may be changed and given while the claim is bound, since 1.34", () => {
    expect(at("1.34").updateErrors(gold, silver)).toEqual([]);
    expect(at("1.35").updateErrors(none, gold)).toEqual([]);
    expect(at("1.35").updateErrors(none, claim({ volumeAttributesClassName: "A" }, bound))).not.toEqual([]);
  });

  test("may not be changed while the gate is off", () => {
    expect(at("1.33").updateErrors(gold, silver)).toEqual([
      "spec.volumeAttributesClassName: Forbidden: update is forbidden when the VolumeAttributesClass feature gate is disabled",
    ]);
  });

  const empty = claim({ volumeAttributesClassName: "" }, bound);

  test("may not be taken away before 1.34", () => {
    const enabled = at("1.33", { VolumeAttributesClass: true });
    expect(enabled.updateErrors(gold, none)).toContain(
      "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden",
    );
    expect(enabled.updateErrors(gold, empty)).toEqual([
      "spec.volumeAttributesClassName: Forbidden: update from non-nil value to an empty string is forbidden",
    ]);
    expect(enabled.updateErrors(none, empty)).toEqual([]);
  });

  test("may be taken away since 1.34 unless it was applied", () => {
    expect(at("1.34").updateErrors(gold, none)).toEqual([]);
    expect(at("1.34").updateErrors(gold, empty)).toEqual([]);
    const applied = (spec: JsonObject): JsonObject =>
      claim(spec, { ...bound, currentVolumeAttributesClassName: "gold" });
    const old = applied({ volumeAttributesClassName: "gold" });
    expect(at("1.34").updateErrors(old, applied({}))).toEqual([
      "spec.volumeAttributesClassName: Forbidden: update to nil is forbidden when status.currentVolumeAttributesClassName is not nil",
    ]);
    expect(at("1.34").updateErrors(old, applied({ volumeAttributesClassName: "" }))).toEqual([
      "spec.volumeAttributesClassName: Forbidden: update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil",
    ]);
  });

  test("may not be changed before the claim is bound since 1.31", () => {
    const pending = (json: JsonObject): JsonObject => ({ ...json, status: { phase: "Pending" } });
    const enabled = at("1.30", { VolumeAttributesClass: true });
    expect(enabled.updateErrors(pending(none), pending(gold))).toEqual([]);
    expect(enabled.updateErrors(pending(gold), pending(none))).toEqual([
      "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden",
    ]);
    expect(at("1.31", { VolumeAttributesClass: true }).updateErrors(pending(none), pending(gold))).toEqual([
      expect.stringMatching(/^spec: Forbidden: spec is immutable after creation/),
    ]);
    expect(at("1.34").updateErrors(pending(gold), pending(silver))).toEqual([
      expect.stringMatching(
        /^spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims/,
      ),
    ]);
  });
});

test("a change is shown line by line, in the names of Go, since 1.34", () => {
  const smaller = claim({ resources: { requests: { storage: "1Gi" } } });
  const why = "spec: Forbidden: spec is immutable after creation except resources.requests";
  expect(at("1.33").updateErrors(smaller, claim())[0]).toMatch(/\n {2}\{\n {2}\tresources: \{\n/);
  expect(at("1.34").updateErrors(smaller, claim())).toEqual([
    `${why} and volumeAttributesClassName for bound claims
@@ -6,7 +6,7 @@
  "Resources": {
   "Limits": null,
   "Requests": {
-   "storage": "1Gi"
+   "storage": "2Gi"
   }
  },
  "VolumeName": "",
`,
  ]);
});

describe("an expansion that failed", () => {
  const smaller = claim({ resources: { requests: { storage: "1500Mi" } } }, bound);

  test("can be taken back since 1.32, down to what there is", () => {
    expect(at("1.31").updateErrors(claim({}, bound), smaller)).toEqual([
      "spec.resources.requests.storage: Forbidden: field can not be less than previous value",
    ]);
    expect(at("1.32").updateErrors(claim({}, bound), smaller)).toEqual([]);
    expect(
      at("1.35").updateErrors(
        claim({}, bound),
        claim({ resources: { requests: { storage: "1Gi" } } }, bound),
      ),
    ).toEqual(["spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"]);
  });

  test("is told of by resource since 1.28, also where the gate is off and it was", () => {
    const status = { ...bound, allocatedResourceStatuses: { storage: "NodeResizePending" } };
    const wrong = { ...bound, allocatedResourceStatuses: { storage: "x", cpu: "NodeResizePending" } };
    const errors = (level: ApiLevel, json: JsonObject) =>
      at(level).updateErrors(claim({}, status), claim({}, json), "status");
    expect(errors("1.32", status)).toEqual([]);
    for (const level of ["1.28", "1.32"] as const) {
      expect(errors(level, wrong)).toEqual([
        expect.stringMatching(
          /^status.allocatedResourceStatus: Unsupported value: "storage": supported values: "Contr/,
        ),
        'status.allocatedResourceStatus: Unsupported value: "cpu": supported values: "storage"',
      ]);
    }
    expect(errors("1.34", { ...bound, allocatedResourceStatuses: { cpu: "NodeResizePending" } })).toEqual([
      'status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "storage"',
    ]);
    expect(errors("1.32", { ...bound, allocatedResources: { "example.com/x": "1" } })).toEqual([]);
    expect(errors("1.32", { ...bound, allocatedResources: { cpu: "1" } })).toHaveLength(1);
  });
});

test("a class may come later since 1.26", () => {
  const errors = (level: ApiLevel, old: JsonObject, now: JsonObject) => at(level).updateErrors(old, now);
  const withClass = claim({ storageClassName: "fast" });
  expect(errors("1.25", claim(), withClass)).toHaveLength(1);
  expect(errors("1.26", claim(), withClass)).toEqual([]);
  expect(errors("1.35", claim(), withClass)).toEqual([]);
  expect(errors("1.35", claim({ storageClassName: "" }), withClass)).toHaveLength(1);
});

test("values that no label has are refused in new selectors since 1.26", () => {
  const odd = claim({ selector: { matchExpressions: [{ key: "a", operator: "In", values: ["-"] }] } });
  expect(at("1.25").createErrors(odd)).toEqual([]);
  expect(at("1.26").createErrors(odd)).toHaveLength(1);
  expect(at("1.26").updateErrors(odd, odd)).toEqual([]);
});

test("warnings, since 1.26", () => {
  const metadata = { annotations: { "volume.beta.kubernetes.io/storage-class": "fast" } };
  const odd = claim({ resources: { requests: { storage: "100m" } } }, {}, metadata);
  const warnings = (level: ApiLevel) => {
    const { strategy } = persistentVolumeClaims(testApiContext({ level }));
    return strategy.warningsOnCreate?.(testWriteContext(), at(level).write(odd)) ?? [];
  };
  expect(warnings("1.25")).toEqual([]);
  const size =
    'spec.resources.requests[storage]: fractional byte value "100m" is invalid, must be an integer';
  expect(warnings("1.26")).toEqual([size]);
  expect(warnings("1.28")).toEqual([
    'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
    size,
  ]);
});

test("what is wrong with an update is told twice before 1.35, and once since", () => {
  const wrong = claim({ accessModes: [] });
  const count = (level: ApiLevel) =>
    at(level)
      .updateErrors(wrong, wrong)
      .filter((error) => error.startsWith("spec.accessModes")).length;
  expect([count("1.34"), count("1.35")]).toEqual([2, 1]);
});
