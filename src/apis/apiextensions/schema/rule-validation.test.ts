import { expect, test } from "vitest";
import { inWordsOf } from "../../../apimachinery/errors/error-words.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
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
  const bodies = inWordsOf(minor, () =>
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
