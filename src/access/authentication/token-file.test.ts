import { expect, test } from "vitest";
import { createTokenFileAuthenticator } from "./token-file.js";

const file = 'abc,alice,1\n\n"d,ef",bob,2,"admins, staff"\n';

const ask = (authorization: string | undefined) =>
  createTokenFileAuthenticator(file, () => {}).authenticate({ authorization, clientCertificate: undefined });

test("a token of the file is its user, in their groups and that of everyone who was made out", () => {
  expect(ask("Bearer abc")).toMatchObject({
    user: { name: "alice", uid: "1", groups: ["system:authenticated"] },
  });
  expect(ask("bearer d,ef")).toMatchObject({
    user: { name: "bob", uid: "2", groups: ["admins", "staff", "system:authenticated"] },
  });
});

test.each(["Bearer abc x", " BEARER abc "])("%j shows a token", (authorization) => {
  expect(ask(authorization)).toMatchObject({ user: { name: "alice" } });
});

test.each(["Bearer nobody", "Bearer  abc", "Bearer", "Basic abc", undefined])(
  "%s says nothing",
  (authorization) => {
    expect(ask(authorization)).toEqual({ kind: "none" });
  },
);

test.each([
  ["abc,alice", "line 1"],
  ['a,b,c\nx"y,y,z', "line 2"],
  ['a,b,c\n"x,y,z', "line 2"],
])("%j is refused without showing a token", (text, message) => {
  expect(() => createTokenFileAuthenticator(text, () => {})).toThrow(message);
});

test("a line without a token and a token that was there before are warned of", () => {
  const problems: string[] = [];
  const users = createTokenFileAuthenticator(",x,1\na,b,2\na,c,3\n", (problem) => problems.push(problem));
  expect(problems).toEqual([
    "token file: line 1: the token is empty",
    "token file: line 3: the token stands in an earlier line too",
  ]);
  expect(users.authenticate({ authorization: "Bearer a", clientCertificate: undefined })).toMatchObject({
    user: { name: "c" },
  });
});
