import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { limitRanges } from "./resource.js";

const definition = limitRanges(testApiContext());
const ground = kindGround(definition);
const of = (...limits: JsonObject[]): JsonObject => ({
  metadata: { name: "a", namespace: "ns" },
  spec: { limits },
});

test("the limit of a container is the maximum, its request the limit, else the minimum", () => {
  const max = { cpu: "2", memory: "1Gi" };
  const min = { cpu: "1", storage: "1.5m" };
  const item = ground.read(of({ type: "Container", max, min, default: { cpu: "1500u" } })).spec.limits?.[0];
  expect(item).toMatchObject({
    default: { cpu: "2m", memory: "1Gi" },
    defaultRequest: { cpu: "2m", memory: "1Gi", storage: "2m" },
    min: { storage: "2m" },
  });
  expect(ground.read(of({ type: "Pod", max })).spec.limits?.[0]).toEqual({ type: "Pod", max });
});

test("without a name it is called by its uid", () => {
  const object = ground.read({ metadata: { namespace: "ns", uid: "u-1" }, spec: { limits: [] } });
  definition.strategy.prepareForCreate(testWriteContext(), object);
  expect(object.metadata.name).toBe("u-1");
});

test.each<[JsonObject[], string[]]>([
  [[{ type: "Container", max: { cpu: "2" }, min: { cpu: "1" }, maxLimitRequestRatio: { cpu: "2" } }], []],
  [[{ type: "PersistentVolumeClaim", max: { storage: "1Gi" } }, { type: "example.com/x" }], []],
  [
    [{ type: "x" }, { type: "Pod" }, { type: "Pod" }],
    [
      'spec.limits[0].type: Invalid value: "x": must be a standard limit type or fully qualified',
      'spec.limits[2].type: Duplicate value: "Pod"',
    ],
  ],
  [
    [{ type: "Pod", default: { cpu: "1" }, defaultRequest: { cpu: "1" } }],
    [
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
      "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
    ],
  ],
  [
    [{ type: "PersistentVolumeClaim" }],
    [
      "spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided",
    ],
  ],
  [
    [{ type: "Container", max: { cpu: "1" }, default: { cpu: "1", constructor: "1" } }],
    [
      'spec.limits[0].default[constructor]: Invalid value: "constructor": must be a standard resource type or fully qualified',
      'spec.limits[0].default[constructor]: Invalid value: "constructor": must be a standard resource for containers',
      'spec.limits[0].defaultRequest[constructor]: Invalid value: "constructor": must be a standard resource type or fully qualified',
      'spec.limits[0].defaultRequest[constructor]: Invalid value: "constructor": must be a standard resource for containers',
    ],
  ],
  [
    [{ type: "Container", max: { storage: "1" } }],
    [
      'spec.limits[0].max[storage]: Invalid value: "storage": must be a standard resource for containers',
      'spec.limits[0].default[storage]: Invalid value: "storage": must be a standard resource for containers',
      'spec.limits[0].defaultRequest[storage]: Invalid value: "storage": must be a standard resource for containers',
    ],
  ],
  [
    [
      {
        type: "Container",
        min: { cpu: "3" },
        max: { cpu: "2" },
        default: { cpu: "4" },
        defaultRequest: { cpu: "5" },
      },
    ],
    [
      'spec.limits[0].min[cpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:3, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"3", Format:"DecimalSI"}: min value 3 is greater than max value 2',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:5, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"5", Format:"DecimalSI"}: default request value 5 is greater than max value 2',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:5, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"5", Format:"DecimalSI"}: default request value 5 is greater than default limit value 4',
      'spec.limits[0].default[cpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:2, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"2", Format:"DecimalSI"}: default value 4 is greater than max value 2',
    ],
  ],
  [
    [{ type: "Container", min: { cpu: "3" }, default: { cpu: "2" }, defaultRequest: { cpu: "1" } }],
    [
      'spec.limits[0].defaultRequest[cpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:1, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1", Format:"DecimalSI"}: min value 3 is greater than default request value 1',
      'spec.limits[0].default[cpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:3, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"3", Format:"DecimalSI"}: min value 3 is greater than default value 2',
    ],
  ],
  [
    [
      {
        type: "Pod",
        min: { cpu: "1" },
        max: { cpu: "1500m" },
        maxLimitRequestRatio: { cpu: "2", memory: "500m" },
      },
    ],
    [
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:2, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"2", Format:"DecimalSI"}: ratio 2 is greater than max/min = 1.500000',
      'spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: resource.Quantity{i:resource.int64Amount{value:500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"500m", Format:"DecimalSI"}: ratio 500m is less than 1',
    ],
  ],
  [
    [{ type: "Container", default: { "hugepages-2Mi": "4Mi" }, defaultRequest: { "hugepages-2Mi": "2Mi" } }],
    [
      'spec.limits[0].defaultRequest[hugepages-2Mi]: Invalid value: resource.Quantity{i:resource.int64Amount{value:2097152, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"2Mi", Format:"BinarySI"}: default value 4Mi must equal to defaultRequest value 2Mi in hugepages-2Mi',
    ],
  ],
])("limits %#", (limits, errors) => {
  expect(ground.createErrors(of(...limits))).toEqual(errors);
  expect(ground.updateErrors(of(), of(...limits))).toEqual(errors);
});
