import { expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { defaultRuleEnvironment } from "../../../apimachinery/structural-schema/compiled-rules.js";
import { parseStructuralSchema } from "../../../apimachinery/structural-schema/parse-schema.js";
import { ruleExpressionErrors } from "./rule-validation.js";

const prefix = "x-keep-";
const options = {
  prefix,
  environment: defaultRuleEnvironment,
  isInvalid: () => false,
  allowsCostlyRules: () => false,
};

test.each([
  [23, 'apiextensions.ValidationRule{Rule:"self < foo", Message:"hi"}'],
  [27, 'apiextensions.ValidationRule{Rule:"self < foo", Message:"hi", MessageExpression:"1"}'],
  [
    29,
    'apiextensions.ValidationRule{Rule:"self < foo", Message:"hi", MessageExpression:"1", ' +
      'Reason:(*apiextensions.FieldValueErrorReason)(nil), FieldPath:"", OptionalOldSelf:(*bool)(nil)}',
  ],
  [
    34,
    '{"Rule":"self \\u003c foo","Message":"hi","MessageExpression":"1","Reason":null,"FieldPath":"","OptionalOldSelf":null}',
  ],
])("a rule that does not compile is shown with the fields of 1.%i", (minor, shown) => {
  const schema = parseStructuralSchema(
    {
      type: "integer",
      [`${prefix}validations`]: [{ rule: "self < foo", message: "hi", messageExpression: "1" }],
    },
    prefix,
  );
  const bodies = withErrorTextsOf(minor, () =>
    ruleExpressionErrors(schema, FieldPath.of("schema"), options).map(({ body }) => body),
  );
  expect(bodies[0]).toContain(`Invalid value: ${shown}: compilation failed`);
});

test.each(["int('many')", "int(string('many'))", "int(int('many')) + int('1')"])(
  "a rule with %s compiles, never runs and is refused",
  (constant) => {
    const schema = parseStructuralSchema(
      { type: "integer", [`${prefix}validations`]: [{ rule: `self < ${constant}` }] },
      prefix,
    );
    const [error] = ruleExpressionErrors(schema, FieldPath.of("schema"), options);
    expect(error?.body).toContain(
      "program instantiation failed: type conversion error from 'string' to 'int'",
    );
  },
);

test("a message is estimated once, and a rule for each value", () => {
  const validations = [{ rule: "self.a == 'b'", messageExpression: "self.a + '!'" }];
  const items = {
    type: "object",
    properties: { a: { type: "string" } },
    [`${prefix}validations`]: validations,
  };
  const errorsOf = (maxItems: number) => {
    const list = { type: "array", maxItems, items };
    const schema = parseStructuralSchema({ type: "object", properties: { list } }, prefix);
    const options = {
      prefix,
      environment: defaultRuleEnvironment,
      isInvalid: () => false,
      allowsCostlyRules: () => false,
    };
    return ruleExpressionErrors(schema, FieldPath.of("schema"), options).map(({ field }) => String(field));
  };
  expect(errorsOf(1_000)).toEqual([]);
  expect(errorsOf(10_000_000)).toContain(`schema.properties[list].items.${prefix}validations[0].rule`);
  expect(errorsOf(10_000_000)).not.toContain(
    `schema.properties[list].items.${prefix}validations[0].messageExpression`,
  );
});

function problemsOf(schema: JsonObject): readonly string[] {
  const parsed = parseStructuralSchema(schema, prefix);
  return ruleExpressionErrors(parsed, FieldPath.of("schema"), options).map(
    ({ field, body }) => `${field}: ${body}`,
  );
}

test("costs are reported before what a rule does with the old value", () => {
  const items = { type: "string", [`${prefix}validations`]: [{ rule: "self == oldSelf" }] };
  expect(problemsOf({ type: "array", items })).toMatchObject([
    expect.stringMatching(
      /^schema\.items\.x-keep-validations\[0\]\.rule: Forbidden: estimated rule cost exceeds/,
    ),
    expect.stringContaining(
      "oldSelf cannot be used on the uncorrelatable portion of the schema within schema",
    ),
    expect.stringContaining("contributed to estimated rule cost total"),
    expect.stringContaining("estimated rule cost total for entire OpenAPIv3 schema"),
  ]);
});

test("a rule that does not compile does not use the old value either", () => {
  const validations = [{ rule: "self == foo", optionalOldSelf: true }];
  expect(problemsOf({ type: "string", [`${prefix}validations`]: validations })).toMatchObject([
    expect.stringContaining("compilation failed"),
    "schema.x-keep-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule",
  ]);
});

test("rules of a value without a type are one internal error", () => {
  const untyped = {
    [`${prefix}preserve-unknown-fields`]: true,
    [`${prefix}validations`]: [{ rule: "true" }, { rule: "false" }],
  };
  expect(problemsOf(untyped)).toEqual([
    "schema.x-keep-validations: Internal error: internal error: failed to construct type information for x-keep-validations rules: unable to convert structural schema to CEL declarations",
  ]);
});

test("problems of the parts come before those of the whole", () => {
  const wrong = { [`${prefix}validations`]: [{ rule: "foo" }] };
  const problems = problemsOf({ type: "object", properties: { a: { type: "string", ...wrong } }, ...wrong });
  expect(problems.map((problem) => problem.replace(/\.x-keep.*/s, ""))).toEqual([
    "schema.properties[a]",
    "schema",
  ]);
});
