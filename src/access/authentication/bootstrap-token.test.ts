import { expect, test } from "vitest";
import { type BootstrapSecret, createBootstrapTokenMechanism } from "./bootstrap-token.js";

const now = new Date("2026-01-01T00:00:00Z");
const good: Readonly<Record<string, string>> = {
  "token-id": "abcdef",
  "token-secret": "0123456789abcdef",
  "usage-bootstrap-authentication": "true",
};
const asked = { audiences: ["api"] };

async function ask(
  data: Readonly<Record<string, string>>,
  token = "abcdef.0123456789abcdef",
  changes: Partial<BootstrapSecret> = {},
) {
  const problems: string[] = [];
  const secret: BootstrapSecret = {
    type: "example.io/token",
    isBeingDeleted: false,
    data: new Map(Object.entries(data)),
    ...changes,
  };
  const mechanism = createBootstrapTokenMechanism({
    secretType: "example.io/token",
    secret: async (name) => (name === "bootstrap-token-abcdef" ? secret : undefined),
    now: () => now,
    report: (name, problem) => problems.push(`${name} ${problem}`),
  });
  return { result: await mechanism.authenticate(token, asked), problems };
}

test("a token of a good secret is a bootstrapper, in the groups of the secret too", async () => {
  expect((await ask(good)).result).toEqual({
    kind: "authenticated",
    user: {
      name: "system:bootstrap:abcdef",
      uid: "",
      groups: ["system:bootstrappers", "system:authenticated"],
      extra: {},
    },
  });
  const groups = "system:bootstrappers:workers,system:bootstrappers:a:b-c";
  const expiration = "2026-01-01T01:00:01+01:00";
  expect((await ask({ ...good, "auth-extra-groups": groups, expiration })).result).toMatchObject({
    user: {
      groups: [
        "system:bootstrappers",
        "system:bootstrappers:a:b-c",
        "system:bootstrappers:workers",
        "system:authenticated",
      ],
    },
  });
});

test.each([
  "",
  "abcdef",
  "abcdef.",
  "abcdef.0123456789abcde",
  "ABCDEF.0123456789abcdef",
  "abcdef.0123456789abcdef\n",
])("%j has another form and is left to others", async (token) => {
  expect(await ask(good, token)).toEqual({ result: { kind: "none" }, problems: [] });
});

const name = "bootstrap-token-abcdef";
test.each<[string, Readonly<Record<string, string>>, Partial<BootstrapSecret>, string]>([
  ["being deleted", good, { isBeingDeleted: true }, "is deleted and awaiting removal"],
  ["of another type", good, { type: "Opaque" }, "has invalid type, expected example.io/token"],
  [
    "of another secret",
    { ...good, "token-secret": "0123456789abcdeg" },
    {},
    "has invalid value for key token-secret",
  ],
  ["without a secret", { ...good, "token-secret": "" }, {}, "has invalid value for key token-secret"],
  ["of another id", { ...good, "token-id": "abcdeg" }, {}, "has invalid value for key token-id"],
  ["expired", { ...good, expiration: "2026-01-01T00:00:00Z" }, {}, "has expired"],
  ["without a readable end", { ...good, expiration: "tomorrow" }, {}, "has expired"],
  [
    "for signing alone",
    { ...good, "usage-bootstrap-authentication": "false" },
    {},
    "not marked usage-bootstrap-authentication",
  ],
  [
    "with another's group",
    { ...good, "auth-extra-groups": "system:bootstrappers:a,system:masters" },
    {},
    "has invalid value for key auth-extra-groups",
  ],
])("a secret %s is not accepted, and the log says why", async (_what, data, changes, problem) => {
  expect(await ask(data, undefined, changes)).toEqual({
    result: { kind: "none" },
    problems: [`${name} ${problem}`],
  });
});

test("a token whose secret does not exist is not authenticated", async () => {
  expect(await ask(good, "zzzzzz.0123456789abcdef")).toEqual({
    result: { kind: "none" },
    problems: ["bootstrap-token-zzzzzz does not exist"],
  });
});
