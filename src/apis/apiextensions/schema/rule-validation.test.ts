import { expect, test } from "vitest";
import { inWordsOf } from "../../../apimachinery/errors/error-words.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { defaultRuleEnvironment } from "../../../apimachinery/structural-schema/compiled-rules.js";
import { parseStructuralSchema } from "../../../apimachinery/structural-schema/parse-schema.js";
import { ruleExpressionErrors } from "./rule-validation.js";

const prefix = "x-keep-";

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
  const options = { prefix, environment: defaultRuleEnvironment, allowsCostlyRules: () => false };
  const bodies = inWordsOf(minor, () =>
    ruleExpressionErrors(schema, FieldPath.of("schema"), options).map(({ body }) => body),
  );
  expect(bodies[0]).toContain(`Invalid value: ${shown}: compilation failed`);
});
