import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { createNaming } from "../../naming/naming.js";
import { latencyAnnotations } from "./latency-annotations.js";

test.each<[ApiLevel, readonly string[] | undefined]>([
  ["1.23", undefined],
  ["1.24", []],
  ["1.30", []],
  ["1.31", ["apf-queue-wait"]],
  ["1.33", ["apf-queue-wait", "authentication", "authorization"]],
  ["1.35", ["apf-queue-wait", "authentication", "authorization"]],
  ["1.36", ["apf-queue-wait", "authentication", "authorization", "impersonation"]],
])("events of slow requests at %s tell the time in the filters %j", (level, layers) => {
  const told = latencyAnnotations(level, createNaming("kubernetes"));
  expect(told && [...told.filters.values()]).toEqual(layers);
  expect(told?.prefix).toBe(layers && "apiserver.latency.k8s.io/");
});
