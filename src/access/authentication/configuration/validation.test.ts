import { expect, test } from "vitest";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import {
  type AuthenticationConfiguration,
  readAuthenticationConfiguration,
} from "./authentication-configuration.js";
import { validateAuthenticationConfiguration } from "./validation.js";

const group = "apiserver.config.example.io";
const issuer = { url: "https://issuer.example", audiences: ["cluster"] };
const username = { claim: "sub", prefix: "" };
const good = { issuer, claimMappings: { username } };

function read(document: object, level: ApiLevel = "1.35", version = "v1beta1") {
  const whole = { apiVersion: `${group}/${version}`, kind: "AuthenticationConfiguration", ...document };
  return readAuthenticationConfiguration(whole, { group, level });
}

function problems(
  document: object,
  level: ApiLevel = "1.35",
  isEnabled = true,
  initial?: AuthenticationConfiguration,
): string[] {
  const context = {
    initial,
    level,
    isEnabled: () => isEnabled,
    disallowedIssuers: ["https://own.example"],
    reservedDomains: ["example.io"],
  };
  return validateAuthenticationConfiguration(read(document, level), context).map(
    ({ field, body }) => `${field}: ${body}`,
  );
}

const withIssuer = (change: object) => ({ jwt: [{ ...good, issuer: { ...issuer, ...change } }] });
const withMappings = (change: object, rest: object = {}) => ({
  jwt: [{ ...good, claimMappings: { username, ...change }, ...rest }],
});
const verifiedEmail =
  "claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression";

test.each<[object]>([
  [{}],
  [{ jwt: [] }],
  [{ jwt: [good] }],
  [withIssuer({ discoveryURL: "https://elsewhere.example/d" })],
  [withIssuer({ audiences: ["a", "b"], audienceMatchPolicy: "MatchAny" })],
  [withMappings({ groups: { expression: "claims.roles.split(',')" }, uid: { claim: "sub" } })],
  [withMappings({ extra: [{ key: "acme.com/team", valueExpression: "claims.team" }] })],
  [withMappings({ username: { expression: "claims.email_verified ? claims.email : claims.sub" } })],
  [withMappings({ username: { expression: "[?claims.?name, claims.sub][0]" } })],
  [
    withMappings(
      { username: { expression: "claims.email" } },
      { claimValidationRules: [{ expression: "claims.?email_verified.orValue(true) == true" }] },
    ),
  ],
  [{ anonymous: { enabled: true, conditions: [{ path: "/livez" }] } }],
])("valid: %j", (document) => expect(problems(document)).toEqual([]));

test.each<[object, readonly string[]]>([
  [
    { jwt: [{}] },
    [
      "jwt[0].issuer.url: Required value",
      "jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required",
      "jwt[0].claimMappings.username: Required value: claim or expression is required",
    ],
  ],
  [
    withIssuer({ url: "http://a" }),
    ['jwt[0].issuer.url: Invalid value: "http://a": URL scheme must be https'],
  ],
  [withIssuer({ url: "issuer" }), ['jwt[0].issuer.url: Invalid value: "issuer": URL scheme must be https']],
  [
    withIssuer({ url: "https://a:port" }),
    [
      'jwt[0].issuer.url: Invalid value: "https://a:port": parse "https://a:port": invalid port ":port" after host',
    ],
  ],
  [
    withIssuer({ url: "https://a:99999" }),
    ['jwt[0].issuer.url: Invalid value: "https://a:99999": URL must have a valid host and port'],
  ],
  [
    withIssuer({ url: "https://a:b@c/?d#e" }),
    [
      "URL must not contain a username or password",
      "URL must not contain a query",
      "URL must not contain a fragment",
    ].map((why) => `jwt[0].issuer.url: Invalid value: "https://a:b@c/?d#e": ${why}`),
  ],
  [
    withIssuer({ url: "https://own.example" }),
    [
      'jwt[0].issuer.url: Invalid value: "https://own.example": URL must not overlap with disallowed issuers: [https://own.example]',
    ],
  ],
  [
    withIssuer({ discoveryURL: "https://issuer.example/" }),
    [
      'jwt[0].issuer.discoveryURL: Invalid value: "https://issuer.example/": discoveryURL must be different from URL',
    ],
  ],
  [
    withIssuer({ audiences: ["a", "a"] }),
    [
      'jwt[0].issuer.audiences[1]: Duplicate value: "a"',
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
  ],
  [
    withIssuer({ certificateAuthority: "x" }),
    [
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    ],
  ],
  [{ jwt: [good, good] }, ['jwt[1].issuer.url: Duplicate value: "https://issuer.example"']],
  [
    withMappings({ username: { claim: "sub" } }),
    [
      "jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing",
    ],
  ],
  [
    withMappings({ username: { claim: "sub", expression: "claims.sub" } }),
    [`jwt[0].claimMappings.username: Invalid value: "": claim and expression can't both be set`],
  ],
  [
    withMappings({ username: { expression: "claims.email" } }),
    [`jwt[0].claimMappings.username.expression: Invalid value: "claims.email": ${verifiedEmail}`],
  ],
  [
    withMappings({ username: { expression: "claims.?email.orValue('')" } }),
    [
      `jwt[0].claimMappings.username.expression: Invalid value: "claims.?email.orValue('')": ${verifiedEmail}`,
    ],
  ],
  [
    withMappings({ username: { expression: "[?claims.?email, claims.sub][0]" } }),
    [
      `jwt[0].claimMappings.username.expression: Invalid value: "[?claims.?email, claims.sub][0]": ${verifiedEmail}`,
    ],
  ],
  [
    withMappings({ extra: [{ key: "A.example.io/X", valueExpression: "" }] }),
    [
      expect.stringContaining('jwt[0].claimMappings.extra[0].key: Invalid value: "A.example.io"'),
      'jwt[0].claimMappings.extra[0].key: Invalid value: "A.example.io/X": must be lowercase',
      'jwt[0].claimMappings.extra[0].key: Invalid value: "A.example.io/X": example.io and their subdomains are reserved',
      "jwt[0].claimMappings.extra[0].valueExpression: Required value",
    ],
  ],
  [
    withMappings({}, { claimValidationRules: [{ claim: "a", message: "m" }, { expression: "1" }, {}] }),
    [
      'jwt[0].claimValidationRules[0].message: Invalid value: "m": may not be specified when claim is set',
      'jwt[0].claimValidationRules[1].expression: Invalid value: "1": must evaluate to bool',
      "jwt[0].claimValidationRules[2]: Required value: claim or expression is required",
    ],
  ],
  [
    withMappings({}, { userValidationRules: [{ expression: "user.nme == ''" }, {}] }),
    [
      expect.stringContaining(
        "jwt[0].userValidationRules[0].expression: Invalid value: \"user.nme == ''\": compilation failed: ",
      ),
      "jwt[0].userValidationRules[1].expression: Required value",
    ],
  ],
  [
    { anonymous: { conditions: [{ path: "/x" }] } },
    [expect.stringContaining("enabled should be set to true when conditions are defined")],
  ],
  [{ jwt: Array.from({ length: 65 }, () => good) }, ["jwt: Too many: 65: must have at most 64 items"]],
])("invalid: %j", (document, expected) => expect(problems(document)).toEqual(expected));

test("a file that is read again says the same of anonymous requests", () => {
  const again = (document: object, initial: object) =>
    problems(document, "1.35", true, read(initial, "1.35"));
  const changed = ["anonymous: Forbidden: changed from initial configuration file"];
  expect(again({ anonymous: { enabled: true } }, { anonymous: { enabled: true } })).toEqual([]);
  expect(again({ jwt: [] }, {})).toEqual([]);
  expect(again({ anonymous: { enabled: false } }, { anonymous: { enabled: true } })).toEqual(changed);
  expect(again({}, { anonymous: { enabled: true } })).toEqual(changed);
  expect(again({ anonymous: { enabled: true } }, {})).toEqual(changed);
});

test("gates forbid what they are for", () => {
  expect(problems({ anonymous: { enabled: true } }, "1.31", false)).toEqual([
    "anonymous: Forbidden: anonymous is not supported when AnonymousAuthConfigurableEndpoints feature gate is disabled",
  ]);
  expect(problems(withIssuer({ egressSelectorType: "cluster" }), "1.34", false)).toEqual([
    expect.stringContaining("egress selector is not supported when"),
  ]);
});

test.each<[ApiLevel, string, object, string | undefined]>([
  ["1.29", "v1alpha1", {}, undefined],
  ["1.29", "v1beta1", {}, 'no kind "AuthenticationConfiguration" is registered for version'],
  ["1.33", "v1", {}, "no kind"],
  ["1.34", "v1", {}, undefined],
  ["1.34", "v1alpha1", {}, undefined],
  ["1.29", "v1alpha1", withIssuer({ discoveryURL: "" }), 'unknown field "jwt[0].issuer.discoveryURL"'],
  ["1.30", "v1alpha1", withIssuer({ discoveryURL: "" }), undefined],
  ["1.30", "v1beta1", { anonymous: {} }, 'strict decoding error: unknown field "anonymous"'],
  ["1.33", "v1beta1", withIssuer({ egressSelectorType: "" }), "unknown field"],
  [
    "1.35",
    "v1",
    { jwt: [{ issuer: { url: 1 } }], other: 1 },
    "jwt[0].issuer.url: must be a string, unknown field",
  ],
])("at %s, %s of %j: %s", (level, version, document, problem) => {
  const work = () => read(document, level, version);
  if (problem === undefined) work();
  else expect(work).toThrow(problem);
});
