import { isDns1035Label, isDns1123Label, isDns1123Subdomain } from "../validation/dns-names.js";
import { isOfFormat } from "../validation/formats.js";
import { isQualifiedName, isValidLabelValue } from "../validation/qualified-name.js";
import { isRequestUri } from "../validation/urls.js";
import { define, type FunctionRules } from "./cel-function.js";
import { scalarTypes, typeText } from "./cel-type.js";
import { CelList, CelOpaque, CelOptional } from "./cel-value.js";
import { callEstimates } from "./estimated-cost.js";

type Check = (text: string) => readonly string[];

/** A prefix of a name may end in a dash. */
const asPrefix =
  (check: Check): Check =>
  (text) =>
    check(text.replace(/-$/, "a"));
const unless =
  (isValid: (text: string) => boolean, problem: string): Check =>
  (text) =>
    isValid(text) ? [] : [problem];

const validating: FunctionRules = {
  cost: ([, size = 0]) => 20 + size * 3,
  estimate: callEstimates.validateFormat,
};

const checks: Readonly<Record<string, Check>> = {
  dns1123Label: isDns1123Label,
  dns1123Subdomain: isDns1123Subdomain,
  dns1035Label: isDns1035Label,
  qualifiedName: isQualifiedName,
  dns1123LabelPrefix: asPrefix(isDns1123Label),
  dns1123SubdomainPrefix: asPrefix(isDns1123Subdomain),
  dns1035LabelPrefix: asPrefix(isDns1035Label),
  labelValue: isValidLabelValue,
  uri: unless(isRequestUri, "invalid URI for request"),
  uuid: unless((text) => isOfFormat(text, "uuid"), "does not match the UUID format"),
  byte: unless((text) => isOfFormat(text, "byte"), "invalid base64"),
  date: unless((text) => isOfFormat(text, "date"), "invalid date"),
  datetime: unless((text) => isOfFormat(text, "datetime"), "invalid datetime"),
};

const formats = new Map(
  Object.entries(checks).map(([name, check]) => [
    name,
    new CelOpaque(typeText(scalarTypes.format), check, name),
  ]),
);

/** Source: Kubernetes documentation, "Common Expression Language in Kubernetes", format library. */
export const formatFunctions = [
  define("format::named(string): optional(format)", ([name]) => new CelOptional(formats.get(name))),
  ...[...formats].map(([name, format]) => define(`format::${name}(): format`, () => format)),
  define(
    "format.validate(string): optional(list(string))",
    ([format, text]) => {
      const problems: readonly string[] = format.value(text);
      return new CelOptional(problems.length === 0 ? undefined : CelList.of(problems));
    },
    validating,
  ),
];
