import { append } from "../../../apimachinery/collections/append.js";
import { duplicate, type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { quoted } from "../../../apimachinery/errors/quoted-text.js";

const path = FieldPath.of("status", "declaredFeatures");
const nameCharactersMax = 253;
const name = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;

/** The features that a node agent declares: sorted, without duplicates. Source: KEP-5328. */
export function validateDeclaredFeatures(features: readonly string[] = []): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, feature] of features.entries()) {
    const why = whatIsWrongWith(feature);
    if (why !== undefined) {
      errors.push(invalid(path.index(index), feature, `invalid feature name ${quoted(feature)}: ${why}`));
    }
    const next = features[index + 1];
    if (next !== undefined) append(errors, orderErrors(feature, next, path.index(index + 1)));
  }
  return errors;
}

function whatIsWrongWith(feature: string): string | undefined {
  if (Buffer.byteLength(feature) > nameCharactersMax) {
    return `must be no more than ${nameCharactersMax} characters`;
  }
  if (name.test(feature)) return undefined;
  return "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";
}

function orderErrors(feature: string, next: string, at: FieldPath): FieldError[] {
  if (feature === next) return [duplicate(at, next)];
  return feature > next ? [invalid(at, next, "list must be sorted alphabetically")] : [];
}
