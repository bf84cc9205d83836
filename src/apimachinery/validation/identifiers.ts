import { dns1123SubdomainMaxLength } from "./dns-names.js";
import { byteLength, maxLengthMessage, patternMessage } from "./messages.js";

const cIdentifierFormat = "[A-Za-z_][A-Za-z0-9_]*";
const envVarNameFormat = "[-._a-zA-Z][-._a-zA-Z0-9]*";
const configMapKeyFormat = "[-._a-zA-Z0-9]+";
const httpHeaderNameFormat = "[-A-Za-z0-9]+";
const percentFormat = "[0-9]+%";

const cIdentifier = new RegExp(`^${cIdentifierFormat}$`);
const envVarName = new RegExp(`^${envVarNameFormat}$`);
const relaxedEnvVarName = /^[ -<>-~]*$/;
const configMapKey = new RegExp(`^${configMapKeyFormat}$`);
const httpHeaderName = new RegExp(`^${httpHeaderNameFormat}$`);
const percent = new RegExp(`^${percentFormat}$`);

export function isCIdentifier(value: string): string[] {
  if (cIdentifier.test(value)) return [];
  return [
    patternMessage(
      "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
      cIdentifierFormat,
      "my_name",
      "MY_NAME",
      "MyName",
    ),
  ];
}

export function isEnvVarName(value: string): string[] {
  const problems: string[] = [];
  if (!envVarName.test(value)) {
    problems.push(
      patternMessage(
        "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
        envVarNameFormat,
        "my.env-name",
        "MY_ENV.NAME",
        "MyEnvName1",
      ),
    );
  }
  return [...problems, ...parentFolderProblems(value)];
}

/** What programs other than shells accept as a variable name. */
export function isRelaxedEnvVarName(value: string): string[] {
  if (value === "") return ["environment variable name must be non-empty"];
  if (relaxedEnvVarName.test(value)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** Keys of config maps and secrets become file names. */
export function isConfigMapKey(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > dns1123SubdomainMaxLength) {
    problems.push(maxLengthMessage(dns1123SubdomainMaxLength));
  }
  if (!configMapKey.test(value)) {
    problems.push(
      patternMessage(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        configMapKeyFormat,
        "key.name",
        "KEY_NAME",
        "key-name",
      ),
    );
  }
  return [...problems, ...parentFolderProblems(value)];
}

export function isHttpHeaderName(value: string): string[] {
  if (httpHeaderName.test(value)) return [];
  return [
    patternMessage(
      "a valid HTTP header must consist of alphanumeric characters or '-'",
      httpHeaderNameFormat,
      "X-Header-Name",
    ),
  ];
}

export function isValidPercent(value: string): string[] {
  if (percent.test(value)) return [];
  return [
    patternMessage(
      "a valid percent string must be a numeric string followed by an ending '%'",
      percentFormat,
      "1%",
      "93%",
    ),
  ];
}

function parentFolderProblems(value: string): string[] {
  if (value === ".") return ["must not be '.'"];
  if (value === "..") return ["must not be '..'"];
  if (value.startsWith("..")) return ["must not start with '..'"];
  return [];
}
