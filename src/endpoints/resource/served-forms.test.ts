import { expect, test } from "vitest";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { horizontalPodAutoscalers } from "../../apis/autoscaling/horizontal-pod-autoscaler/resource.js";
import { configMaps } from "../../apis/core/config-map/resource.js";
import { convertToHub, hubVersion } from "../../apis/definition/resource-definition.js";
import type { HorizontalPodAutoscaler } from "../../apis/gen/autoscaling-v2.js";
import type { Binding } from "../../apis/gen/core-v1.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { createVersionedView } from "../../registry/generic/versioned-view.js";
import { valueForms, viewForms } from "./served-forms.js";

const context = testApiContext();
const scope = { signal: new AbortController().signal };

test("an object reads in every version of its resource, and changes to any of them are taken over", async () => {
  const definition = horizontalPodAutoscalers(context);
  const version = definition.versions.find((candidate) => candidate.version === "v1");
  if (version === undefined) throw new Error("autoscalers have a v1");
  const view = createVersionedView(definition, version);
  const forms = viewForms<HorizontalPodAutoscaler>(view, scope);
  const object = convertToHub(
    version,
    view.fromJson({
      metadata: { name: "a" },
      spec: {
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
        scaleTargetRef: { kind: "Deployment", name: "d" },
      },
    }),
  );
  const before = structuredClone(object);

  expect(forms.served.map(({ kind }) => kind.version)).toEqual(["v1", "v2", "v2beta1", "v2beta2"]);
  for (const { kind } of forms.served) {
    const text = await forms.print(object, kind);
    expect(JSON.parse(text)).toMatchObject({
      kind: definition.kind,
      apiVersion: `autoscaling/${kind.version}`,
    });
    expect(object).toEqual(before);
    const changed = JSON.parse(text.replace('"maxReplicas":3', '"maxReplicas":4'));
    await forms.replace(object, changed, kind, JSON.parse(text));
    expect(object.spec.maxReplicas).toBe(4);
    await forms.replace(object, JSON.parse(text), kind, changed);
    expect(object).toEqual(before);
  }
  const [own] = forms.served;
  if (own === undefined) throw new Error("there is a form of the request's own version");
  await expect(forms.replace(object, "text", own.kind, {})).rejects.toThrow();
  const whole = JSON.parse(await forms.print(object, own.kind));
  const numberTexts = new Map([["spec.maxReplicas", "3.0"]]);
  await expect(forms.replace(object, whole, own.kind, {}, { numberTexts })).rejects.toThrow(
    "json: cannot unmarshal number 3.0 into Go struct field HorizontalPodAutoscalerSpec.spec.maxReplicas of type int32",
  );
  await expect(forms.replace(object, { spec: 1 }, own.kind, {})).rejects.toThrow();
  await expect(forms.replace(object, { kind: "Pod" }, own.kind, {})).rejects.toThrow(
    'no kind "Pod" is registered for version "autoscaling/v1"',
  );
  const unknown = { ...JSON.parse(await forms.print(object, own.kind)), nope: 1, spec: { other: 1 } };
  await expect(forms.replace(object, unknown, own.kind, {}, { isStrict: true })).rejects.toThrow(
    'strict decoding error: unknown field "spec.other", unknown field "nope"',
  );
  expect(object).toEqual(before);
  // The two versions have different fields for this.
  const metrics = [
    { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } },
  ];
  const spec = { maxReplicas: 5, scaleTargetRef: { kind: "Deployment", name: "d" }, metrics };
  const other = { apiVersion: "autoscaling/v2", kind: definition.kind, metadata: { name: "a" }, spec };
  await forms.replace(object, other, own.kind, {});
  expect(JSON.parse(await forms.print(object, own.kind)).spec.targetCPUUtilizationPercentage).toBe(60);
});

test("managers stay where they are not changed, and are read where they are", async () => {
  const definition = configMaps(context);
  const view = createVersionedView(definition, hubVersion(definition));
  const forms = viewForms(view, scope);
  const [own] = forms.served;
  if (own === undefined) throw new Error("there is a form of the request's own version");
  const entry = (manager: string) => ({
    manager,
    operation: "Update",
    fieldsV1: { "f:data": { "f:a": {} } },
  });
  const json = { metadata: { name: "a", managedFields: [entry("one")] }, data: { a: "1" } };
  const object = convertToHub(view.version, view.fromJson(json));
  const { managedFields } = object.metadata;

  await forms.replace(object, { ...json, data: { a: "2" } }, own.kind, json);
  expect(object).toMatchObject({ data: { a: "2" } });
  expect(object.metadata.managedFields).toBe(managedFields);
  await forms.replace(object, { metadata: { name: "a", managedFields: [entry("two")] } }, own.kind, json);
  expect(object.metadata.managedFields).toEqual([entry("two")]);
  await forms.replace(object, { metadata: { name: "a" } }, own.kind, json);
  expect(object).toEqual({ metadata: { name: "a" } });
});

test("a value has one form", async () => {
  const codec = context.schemas.codec<Binding>("core/v1.Binding");
  const kind = { group: "", version: "v1", kind: "Binding" };
  const forms = valueForms({ kind, resource: { group: "", version: "v1", resource: "pods" } }, codec);
  const object: ApiObject = codec.fromJson({ metadata: { name: "a" }, target: { name: "n" } });
  const text = await forms.print(object, kind);
  expect(text).toMatch(/^\{"kind":"Binding","apiVersion":"v1","metadata":/);
  await forms.replace(object, JSON.parse(text.replace('"n"', '"m"')), kind, JSON.parse(text));
  expect(object).toMatchObject({ metadata: { name: "a" }, target: { name: "m" } });
});
