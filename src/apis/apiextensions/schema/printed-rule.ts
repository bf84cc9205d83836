import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import type { ValidationRule } from "../../gen/apiextensions-v1.js";

/** A rule in Go's notation, with the fields that rules have at the level. */
export function printRule({ rule, message = "", ...more }: ValidationRule): PrintedValue {
  const { messageExpression = "", reason = "", fieldPath = "", optionalOldSelf } = more;
  return printStruct("apiextensions.ValidationRule", {
    Rule: rule,
    Message: message,
    ...(hasErrorTextsOf(27) && { MessageExpression: messageExpression }),
    ...(hasErrorTextsOf(28) && {
      Reason: printPointer("apiextensions.FieldValueErrorReason", reason === "" ? undefined : reason),
      FieldPath: fieldPath,
    }),
    ...(hasErrorTextsOf(29) && { OptionalOldSelf: printPointer("bool", optionalOldSelf) }),
  });
}
