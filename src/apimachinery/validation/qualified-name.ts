import { append } from "../collections/append.js";
import { hasErrorTextsOf } from "../errors/error-texts.js";
import { isDns1123Subdomain } from "./dns-names.js";
import { byteLength, emptyMessage, maxLengthMessage, patternMessage } from "./messages.js";

const qualifiedNameMaxLength = 63;
const labelValueMaxLength = 63;

const nameFormat = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelValueFormat = `(${nameFormat})?`;
const name = new RegExp(`^${nameFormat}$`);
const labelValue = new RegExp(`^${labelValueFormat}$`);
const nameWhat =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** Label keys, annotation keys, finalizers, resource names: an optional DNS prefix, a slash, a name. */
export function isQualifiedName(value: string): string[] {
  const problems: string[] = [];
  // Nearly all names have no prefix.
  if (value.length <= qualifiedNameMaxLength && name.test(value)) return problems;
  const parts = value.split("/", 3);
  const [first = "", second] = parts;
  if (parts.length > 2) {
    const pattern = patternMessage(nameWhat, nameFormat, "MyName", "my.name", "123-abc");
    return [
      `${hasErrorTextsOf(35) ? "a valid label key" : "a qualified name"} ${pattern} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (second !== undefined) {
    if (first === "") problems.push(`prefix part ${emptyMessage()}`);
    else
      append(
        problems,
        isDns1123Subdomain(first).map((problem) => `prefix part ${inBytes(problem)}`),
      );
  }
  const local = second ?? first;
  if (local === "") problems.push(`name part ${emptyMessage()}`);
  else if (byteLength(local) > qualifiedNameMaxLength) {
    problems.push(`name part ${lengthMessage(qualifiedNameMaxLength)}`);
  }
  if (!name.test(local)) {
    problems.push(`name part ${patternMessage(nameWhat, nameFormat, "MyName", "my.name", "123-abc")}`);
  }
  return problems;
}

function lengthMessage(bytes: number): string {
  return inBytes(maxLengthMessage(bytes));
}

/** Names and values of labels name the unit since 1.35; other texts do not. */
function inBytes(problem: string): string {
  return hasErrorTextsOf(35)
    ? problem.replace(/^(must be no more than \d+) characters$/, "$1 bytes")
    : problem;
}

export function isValidLabelValue(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > labelValueMaxLength) problems.push(lengthMessage(labelValueMaxLength));
  if (!labelValue.test(value)) {
    problems.push(
      patternMessage(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        labelValueFormat,
        "MyValue",
        "my_value",
        "12345",
      ),
    );
  }
  return problems;
}
