import { expect, test } from "vitest";
import { defaultSettings, formatSimulation, parseSimulation } from "./settings.js";

test.each([
  ["true", defaultSettings],
  ["", defaultSettings],
  ["false", undefined],
  ["nodes=3,cpu=500m,pull=2s", { ...defaultSettings, nodes: 3, cpu: "500m", pullMs: 2000 }],
  ["nodes=0,storage-class=fast", { ...defaultSettings, nodes: 0, storageClass: "fast" }],
])("%j is %j", (text, value) => {
  expect(parseSimulation(text)).toEqual({ value });
});

test.each([
  ["nodes=-1", 'invalid value "nodes=-1", expected a number from 0 to 5000'],
  ["cpu=much", 'invalid value "cpu=much", expected a quantity such as 8, 500m or 32Gi'],
  ["pull=soon", 'invalid value "pull=soon", expected a duration such as 500ms or 2s'],
  ["node=1", expect.stringContaining('invalid value "node=1", expected NAME=VALUE')],
])("%j is refused", (text, problem) => {
  expect(parseSimulation(text)).toEqual({ problem });
});

test("what is printed is read as the same", () => {
  const settings = { ...defaultSettings, nodes: 7, stopMs: 1500 };
  expect(parseSimulation(formatSimulation(settings))).toEqual({ value: settings });
});
