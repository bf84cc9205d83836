import { expect, test } from "vitest";
import { withErrorTextsOf } from "../errors/error-texts.js";
import {
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isDns1123SubdomainWithUnderscore,
  isWildcardDns1123Subdomain,
} from "./dns-names.js";
import { isConfigMapKey, isEnvVarName, isHttpHeaderName, isValidPercent } from "./identifiers.js";
import { isValidPortNum } from "./numbers.js";
import { isValidPathSegmentName, nameIsDnsSubdomain, validateNamespaceName } from "./object-name.js";
import { isValidPortName } from "./port-name.js";
import { isQualifiedName, isValidLabelValue } from "./qualified-name.js";

const checks = {
  isDns1123Label,
  isDns1123Subdomain,
  isDns1035Label,
  isWildcardDns1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  isEnvVarName,
  isConfigMapKey,
  isHttpHeaderName,
  isValidPercent,
  isValidPortName,
  isValidPathSegmentName,
};

const valid: [keyof typeof checks, string[]][] = [
  ["isDns1123Label", ["a", "1", "a-1", "a--1-2--b", "0".repeat(63)]],
  ["isDns1123Subdomain", ["a", "a.b", "0.1.a--b.c", "a".repeat(253)]],
  ["isDns1035Label", ["a", "ab-1"]],
  ["isWildcardDns1123Subdomain", ["*.example.com", "*.bar.com", "*.foo.bar.com"]],
  [
    "isQualifiedName",
    ["simple", "1-num.2-num", "1.2.3.4/5678", "A-b_C.d", `${"a".repeat(253)}/${"b".repeat(63)}`],
  ],
  ["isValidLabelValue", ["", "a", "1.2_3-4", "X".repeat(63)]],
  ["isEnvVarName", ["a", "my.env-name", "_x", "-a", ".a"]],
  ["isConfigMapKey", ["a", "key.name", "..key".slice(1), "K_1"]],
  ["isHttpHeaderName", ["X-Header-Name"]],
  ["isValidPercent", ["0%", "100%", "007%"]],
  ["isValidPortName", ["http", "a-1", "1a"]],
  ["isValidPathSegmentName", ["a:b", "...", "A B"]],
];
test.each(valid)("%s accepts %j", (check, values) => {
  for (const value of values) expect(checks[check](value)).toEqual([]);
});

const invalid: [keyof typeof checks, string[]][] = [
  ["isDns1123Label", ["", "A", "-a", "a-", "a.b", "a\n", "0".repeat(64)]],
  ["isDns1123Subdomain", ["", ".", "a..b", "a.", "a_b", "a".repeat(254)]],
  ["isDns1035Label", ["", "1a", "a-", "A", "a".repeat(64)]],
  ["isWildcardDns1123Subdomain", ["*", "*.*.bar.com", "f*.bar.com", "*bar.com"]],
  ["isQualifiedName", ["", "/", "a/", "/b", "a/b/c", "_a", "a_", "A/b", "b".repeat(64), "é"]],
  ["isValidLabelValue", ["-a", "a b", "X".repeat(64)]],
  ["isEnvVarName", ["", "1", "a=b", "..", ".", "..a"]],
  ["isConfigMapKey", ["", ".", "..", "..a", "a/b", "a".repeat(254)]],
  ["isHttpHeaderName", ["", "a:b"]],
  ["isValidPercent", ["", "1", "%", "-1%", "1.5%"]],
  ["isValidPortName", ["", "80", "a--b", "-a", "a-", "abcdefghijklmnop", "A"]],
  ["isValidPathSegmentName", [".", "..", "a/b", "a%b"]],
];
test.each(invalid)("%s refuses %j", (check, values) => {
  for (const value of values) expect(checks[check](value), value).not.toEqual([]);
});

test("the messages are those that clients match on", () => {
  expect(isDns1123Subdomain("A")).toEqual([
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ]);
  expect(isDns1123Label("A")).toEqual([
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ]);
  expect(isQualifiedName("/")).toEqual([
    "prefix part must be non-empty",
    "name part must be non-empty",
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ]);
  expect(isValidPortNum(0)).toEqual(["must be between 1 and 65535, inclusive"]);
  expect(isDns1035Label("a".repeat(64))).toEqual(["must be no more than 63 characters"]);
  expect(isEnvVarName("..")).toEqual(["must not be '..'"]);
});

test("a generateName may end in a dash, a name may not", () => {
  expect(nameIsDnsSubdomain("web-", true)).toEqual([]);
  expect(nameIsDnsSubdomain("web-", false)).toHaveLength(1);
  expect(validateNamespaceName("-", true)).toHaveLength(1);
});

test("long subdomains are checked as short ones", () => {
  const start = `${"a.".repeat(200)}a`;
  for (const end of ["b", "-b", "--b", ".b", ".", "-", "..b", ".-b", "-.b", "B", "_", "0.9"]) {
    const [, ...problems] = isDns1123Subdomain(start + end);
    expect(problems).toEqual(isDns1123Subdomain(`a.a${end}`));
  }
  for (const first of [".", "-"]) expect(isDns1123Subdomain(first + start)).toHaveLength(2);
});

test("search paths may have underscores, of which the pattern in errors tells from 1.34 on", () => {
  expect(isDns1123SubdomainWithUnderscore("_a.b_c")).toEqual([]);
  const pattern = (minor: number) =>
    withErrorTextsOf(minor, () => isDns1123SubdomainWithUnderscore("A"))
      .join()
      .includes("'_?[a-z0-9]");
  expect([32, 33, 34, 36].map(pattern)).toEqual([false, false, true, true]);
});
