import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { metricsContentType } from "./metrics-content-type.js";

test.each<[ApiLevel, string]>([
  ["1.30", "text/plain; version=0.0.4; charset=utf-8"],
  ["1.31", "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"],
])("at %s metrics are %s", (level, expected) => {
  expect(metricsContentType(level)).toBe(expected);
});
