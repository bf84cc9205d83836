import { hasErrorTextsOf } from "../errors/error-texts.js";
import { type FieldError, type FieldPath, invalid, required } from "../errors/field-error.js";
import { byteLength, maxLengthMessage, patternMessage } from "./messages.js";

export const dns1123LabelMaxLength = 63;
export const dns1123SubdomainMaxLength = 253;
const dns1035LabelMaxLength = 63;

const dns1123LabelFormat = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dns1123SubdomainFormat = `${dns1123LabelFormat}(\\.${dns1123LabelFormat})*`;
const dns1035LabelFormat = "[a-z]([-a-z0-9]*[a-z0-9])?";
const wildcardFormat = `\\*\\.${dns1123SubdomainFormat}`;

const underscoreLabelFormat = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const underscoreSubdomainFormat = `${underscoreLabelFormat}(\\.${underscoreLabelFormat})*`;

const dns1123Label = new RegExp(`^${dns1123LabelFormat}$`);
const dns1123Subdomain = new RegExp(`^${dns1123SubdomainFormat}$`);
const underscoreSubdomain = new RegExp(`^${underscoreSubdomainFormat}$`);
const dns1035Label = new RegExp(`^${dns1035LabelFormat}$`);
const wildcardSubdomain = new RegExp(`^${wildcardFormat}$`);

/** What is wrong with `value`; nothing when it is valid. The same holds for all functions here named `is…`. */
export function isDns1123Label(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > dns1123LabelMaxLength) problems.push(maxLengthMessage(dns1123LabelMaxLength));
  if (!dns1123Label.test(value)) {
    if (hasErrorTextsOf(27) && hasSubdomainFormat(value)) return [...problems, "must not contain dots"];
    problems.push(
      patternMessage(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
        dns1123LabelFormat,
        "my-name",
        "123-abc",
      ),
    );
  }
  return problems;
}

export function isDns1123Subdomain(value: string): string[] {
  const message =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return subdomainProblems(value, value, message, "example.com");
}

/** Letters may be of either case. */
export function isDns1123SubdomainCaseless(value: string): string[] {
  const message =
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return subdomainProblems(value, value.toLowerCase(), message, "Example.com");
}

/** `lower`: the form of the value that must be a subdomain in lower case. */
function subdomainProblems(value: string, lower: string, message: string, example: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > dns1123SubdomainMaxLength) {
    problems.push(maxLengthMessage(dns1123SubdomainMaxLength));
  }
  if (!hasSubdomainFormat(lower)) problems.push(patternMessage(message, dns1123SubdomainFormat, example));
  return problems;
}

/** As resolvers accept them in search paths: labels may contain and begin with underscores. Before 1.34, errors show a pattern without these. */
export function isDns1123SubdomainWithUnderscore(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > dns1123SubdomainMaxLength) {
    problems.push(maxLengthMessage(dns1123SubdomainMaxLength));
  } else if (!underscoreSubdomain.test(value)) {
    problems.push(
      patternMessage(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
        hasErrorTextsOf(34) ? underscoreSubdomainFormat : dns1123SubdomainFormat,
        "example.com",
      ),
    );
  }
  return problems;
}

/** The regular expression takes a tenth of a second for three megabytes. */
function hasSubdomainFormat(value: string): boolean {
  if (value.length <= dns1123SubdomainMaxLength) return dns1123Subdomain.test(value);
  let previous = dot;
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    const isAlphanumeric = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
    if (
      code === dot
        ? previous === dot || previous === dash
        : code === dash
          ? previous === dot
          : !isAlphanumeric
    )
      return false;
    previous = code;
  }
  return previous !== dot && previous !== dash;
}

const dot = 0x2e;
const dash = 0x2d;

export function isDns1035Label(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > dns1035LabelMaxLength) problems.push(maxLengthMessage(dns1035LabelMaxLength));
  if (!dns1035Label.test(value)) {
    problems.push(
      patternMessage(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        dns1035LabelFormat,
        "my-name",
        "abc-123",
      ),
    );
  }
  return problems;
}

export function isWildcardDns1123Subdomain(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > dns1123SubdomainMaxLength) {
    problems.push(maxLengthMessage(dns1123SubdomainMaxLength));
  }
  if (!wildcardSubdomain.test(value)) {
    problems.push(
      patternMessage(
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
        wildcardFormat,
        "*.example.com",
      ),
    );
  }
  return problems;
}

/** At least three segments; for names scoped to a domain, such as signers. */
export function validateFullyQualifiedName(path: FieldPath, name: string): FieldError[] {
  if (name === "") return [required(path, "")];
  const problems = isDns1123Subdomain(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(","))];
  if (name.split(".").length < 3) {
    return [invalid(path, name, "should be a domain with at least three segments separated by dots")];
  }
  return [];
}

/** At least two segments; one trailing dot is allowed. */
export function validateFullyQualifiedDomainName(path: FieldPath, name: string): FieldError[] {
  if (name === "") return [required(path, "")];
  const domain = name.endsWith(".") ? name.slice(0, -1) : name;
  const problems = isDns1123Subdomain(domain);
  if (problems.length > 0) return [invalid(path, domain, problems.join(","))];
  const labels = domain.split(".");
  if (labels.length < 2) {
    return [invalid(path, domain, "should be a domain with at least two segments separated by dots")];
  }
  for (const label of labels) {
    const labelProblems = isDns1123Label(label);
    if (labelProblems.length > 0) return [invalid(path, label, labelProblems.join(","))];
  }
  return [];
}
