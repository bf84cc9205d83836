import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { hubVersion } from "../../definition/resource-definition.js";
import type { PodTemplate } from "../../gen/core-v1.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { podTemplates } from "./resource.js";

const context = testApiContext();
const definition = podTemplates(context);
const { strategy } = definition;
const write = testWriteContext();
const containers = [
  { name: "a", image: "a:1" },
  { name: "b", image: "b:1" },
];

function podTemplate(spec: JsonObject, labels: JsonObject = {}): PodTemplate {
  const object = context.schemas
    .codec<PodTemplate>("core/v1.PodTemplate")
    .fromJson({ metadata: { name: "t", namespace: "ns" }, template: { metadata: { labels }, spec } });
  hubVersion(definition).setDefaults(object);
  return object;
}

test("defaults are those of a pod's spec, not of a pod", () => {
  const { spec } = podTemplate({
    containers: [{ name: "a", image: "a", resources: { limits: { cpu: "1" } } }],
  }).template;
  expect(spec.dnsPolicy).toBe("ClusterFirst");
  expect(spec.enableServiceLinks).toBeUndefined();
  expect(spec.containers?.[0]?.resources.requests).toBeUndefined();
});

test("paths start at the template", () => {
  const broken = podTemplate({ containers: [{ name: "a" }] });
  const expected = ["template.spec.containers[0].image: Required value"];
  expect(errorTexts(strategy.validate(write, broken))).toEqual(expected);
  expect(errorTexts(strategy.validateUpdate(write, broken, broken))).toEqual(expected);
  expect(strategy.validate(write, podTemplate({ containers }))).toEqual([]);
});

test("generation counts changes, and only changes warn", () => {
  const old = podTemplate({ containers, nodeSelector: { "beta.kubernetes.io/os": "linux" } });
  strategy.prepareForCreate(write, old);
  expect(old.metadata.generation).toBe(1);
  expect(strategy.warningsOnCreate?.(write, old)).toHaveLength(1);
  const same = podTemplate({ containers, nodeSelector: { "beta.kubernetes.io/os": "linux" } });
  same.metadata.generation = 1;
  strategy.prepareForUpdate(write, same, old);
  expect(same.metadata.generation).toBe(1);
  expect(strategy.warningsOnUpdate?.(write, same, old)).toEqual([]);
  const other = podTemplate({ containers, nodeSelector: { "beta.kubernetes.io/os": "windows" } });
  strategy.prepareForUpdate(write, other, old);
  expect(other.metadata.generation).toBe(2);
  expect(strategy.warningsOnUpdate?.(write, other, old)).toHaveLength(1);
});

test("its row", () => {
  const row = (labels: JsonObject): unknown =>
    definition.columns?.cells(podTemplate({ containers }, labels), new Date(0));
  expect(row({ b: "2", a: "1" })).toEqual(["t", "a,b", "a:1,b:1", "a=1,b=2"]);
  expect(row({})).toEqual(["t", "a,b", "a:1,b:1", "<none>"]);
});
