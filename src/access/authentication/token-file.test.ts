import { expect, test } from "vitest";
import { createTokenFileAuthenticator } from "./token-file.js";

const file = 'abc,alice,1\n\n"d,ef",bob,2,"admins, staff"\n';

const ask = (authorization: string | undefined) =>
  createTokenFileAuthenticator(file).authenticate({ authorization, clientCertificate: undefined });

test("a token of the file is its user, in their groups and that of everyone who was made out", () => {
  expect(ask("Bearer abc")).toMatchObject({
    user: { name: "alice", uid: "1", groups: ["system:authenticated"] },
  });
  expect(ask("bearer d,ef")).toMatchObject({
    user: { name: "bob", uid: "2", groups: ["admins", "staff", "system:authenticated"] },
  });
});

test.each(["Bearer nobody", "Basic abc", undefined])("%s says nothing", (authorization) => {
  expect(ask(authorization)).toEqual({ kind: "none" });
});

test.each([
  ["abc,alice", "line 1"],
  ["a,b,c\n,x,y", "line 2"],
  ['a,b,c\n"x,y,z', "line 2"],
])("%j is refused without showing a token", (text, message) => {
  expect(() => createTokenFileAuthenticator(text)).toThrow(message);
});
