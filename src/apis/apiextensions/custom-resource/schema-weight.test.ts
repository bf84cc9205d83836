import { expect, test } from "vitest";
import { schemaWeight } from "./schema-weight.js";

const weightOf = (schema: object): number => schemaWeight(Buffer.from(JSON.stringify(schema)));

test.each([
  ["plain fields", { type: "object", properties: { rule: { type: "string" }, pattern: {} } }],
  ["texts that look like a rule", { description: '"rule":"self.a"', title: '"pattern":"a{900}"' }],
])("%s weigh their bytes", (_what, schema) => {
  expect(weightOf(schema)).toBe(JSON.stringify(schema).length);
});

test("rules and patterns weigh more than their bytes", () => {
  const validations = Array.from({ length: 200 }, () => ({ rule: "true", message: 'a "quoted" word' }));
  expect(weightOf({ validations })).toBe(JSON.stringify({ validations }).length + 200 * 8 * 1024);
  expect(weightOf({ pattern: "a{900}" })).toBeGreaterThan(900 * 50);
  expect(weightOf({ pattern: '^"a"$' })).toBeLessThan(10 * 50);
});
