import { expect, test } from "vitest";
import { withErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import { FieldPath } from "../../apimachinery/errors/field-error.js";
import type { ObjectMeta } from "../../apimachinery/objects/meta.js";
import { nameIsDnsSubdomain } from "../../apimachinery/validation/object-name.js";
import { metadataUpdateErrors } from "./metadata-update.js";

const old: ObjectMeta = { name: "a", namespace: "b", uid: "1", resourceVersion: "1", generation: 1 };

function fieldsOf(
  resource: string,
  changes: ObjectMeta,
  { isPart = false, isCustom = false } = {},
): string[] {
  const standardFinalizers = isCustom ? undefined : ["mine"];
  const strategy = { validateName: nameIsDnsSubdomain };
  const definition = { namespaced: true, resource, standardFinalizers, strategy };
  const where = { isPart, path: FieldPath.of("metadata") };
  return metadataUpdateErrors(definition, { ...old, ...changes }, old, where).map(({ field }) => field);
}

const times = (count: number, field: string) => Array.from({ length: count }, () => field);

test.each<[resource: string, uid: number, label: number, finalizer: number, where: object]>([
  ["configmaps", 2, 4, 2, {}],
  ["deployments", 2, 3, 1, {}],
  ["limitranges", 1, 3, 1, {}],
  ["persistentvolumes", 1, 4, 2, {}],
  ["persistentvolumeclaims", 2, 5, 3, {}],
  ["poddisruptionbudgets", 1, 2, 0, {}],
  ["cronjobs", 1, 2, 0, { isPart: true }],
  ["poddisruptionbudgets", 1, 2, 0, { isPart: true }],
  ["certificatesigningrequests", 2, 4, 2, { isPart: true }],
  ["ingresses", 2, 4, 2, {}],
  ["podtemplates", 2, 3, 1, {}],
  ["events", 1, 2, 0, { isCustom: true }],
  ["configmaps", 2, 3, 1, { isPart: true }],
  ["configmaps", 2, 3, 0, { isCustom: true }],
])(
  "%s have errors of a uid %d times, of a label %d, of a finalizer %d with %j",
  (resource, uid, label, finalizer, where) => {
    expect(fieldsOf(resource, { uid: "2" }, where)).toEqual(times(uid, "metadata.uid"));
    expect(fieldsOf(resource, { labels: { "a b": "" } }, where)).toEqual(times(label, "metadata.labels"));
    const owner = { apiVersion: "v1", kind: "Pod", name: "", uid: "u" };
    expect(fieldsOf(resource, { ownerReferences: [owner] }, where)).toEqual(
      times(label, "metadata.ownerReferences.name"),
    );
    expect(fieldsOf(resource, { finalizers: ["odd"] }, where)).toEqual(
      times(finalizer, "metadata.finalizers[0]"),
    );
    expect(fieldsOf(resource, {}, where)).toEqual([]);
  },
);

test.each<[resource: string, generateName: string, count: number, where: object]>([
  ["configmaps", "X_", 1, {}],
  ["configmaps", "x-", 0, {}],
  ["configmaps", "x/", 2, {}],
  ["configmaps", "x/", 1, { isPart: true }],
  // Only their own validation of a creation goes further than a path segment.
  ["deployments", "X_", 0, {}],
  ["configmaps", "X_", 0, { isCustom: true }],
])("%s have errors of the base %j of a name %d times with %j", (resource, generateName, count, where) => {
  expect(fieldsOf(resource, { generateName }, where)).toEqual(times(count, "metadata.generateName"));
});

test("a stateful set is checked less often since 1.25", () => {
  const uids = (minor: number): number =>
    withErrorTextsOf(minor, () => fieldsOf("statefulsets", { labels: { "a b": "" } })).length;
  expect([uids(24), uids(25), uids(36)]).toEqual([4, 3, 3]);
});

test.each<[resource: string, counts: readonly [at128: number, at134: number, at136: number]]>([
  ["clusterroles", [5, 5, 4]],
  ["networkpolicies", [4, 4, 3]],
  ["resourceclaims", [5, 4, 4]],
  ["runtimeclasses", [4, 4, 3]],
  ["volumeattachments", [4, 4, 4]],
])("%s are checked as often as at the level", (resource, counts) => {
  const labels = (minor: number): number =>
    withErrorTextsOf(minor, () => fieldsOf(resource, { labels: { "a b": "" } })).length;
  expect([labels(28), labels(34), labels(36)]).toEqual(counts);
});

test("finalizers that nobody knows come before what else is wrong with them", () => {
  const fields = fieldsOf("configmaps", { finalizers: ["a b"] });
  expect(fields).toEqual(["", "[0]", "", "[0]"].map((at) => `metadata.finalizers${at}`));
});
