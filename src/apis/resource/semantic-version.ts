import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";

/** Far longer than any version: such texts are refused unread. */
const lengthMax = 640;
const number = "(0|[1-9]\\d*)";
const beforeRelease = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const build = "[0-9a-zA-Z-]+";
const pattern = new RegExp(
  `^${number}\\.${number}\\.${number}(-${beforeRelease}(\\.${beforeRelease})*)?(\\+${build}(\\.${build})*)?$`,
);

/** Semantic Versioning 2.0.0, for example `1.2.3-rc.1+linux`. */
export function validateSemanticVersion(text: string, path: FieldPath): FieldError[] {
  const isVersion = text.length <= lengthMax && pattern.test(text);
  return isVersion ? [] : [invalid(path, text, "must be a string compatible with semver.org spec 2.0.0")];
}
