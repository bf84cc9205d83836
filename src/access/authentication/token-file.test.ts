import { expect, test } from "vitest";
import { createTokenFileMechanism } from "./token-file.js";

const file = 'abc,alice,1\n\n"d,ef",bob,2,"admins, staff"\n';

const asked = { audiences: ["api"] };
const ask = (token: string) => createTokenFileMechanism(file, () => {}).authenticate(token, asked);

test("a token of the file is its user, in their groups and that of everyone who was made out", () => {
  expect(ask("abc")).toMatchObject({
    user: { name: "alice", uid: "1", groups: ["system:authenticated"] },
  });
  expect(ask("d,ef")).toMatchObject({
    user: { name: "bob", uid: "2", groups: ["admins", "staff", "system:authenticated"] },
  });
});

test("any other token says nothing", () => {
  expect(ask("nobody")).toEqual({ kind: "none" });
});

test.each([
  ["abc,alice", "line 1"],
  ['a,b,c\nx"y,y,z', "line 2"],
  ['a,b,c\n"x,y,z', "line 2"],
])("%j is refused without showing a token", (text, message) => {
  expect(() => createTokenFileMechanism(text, () => {})).toThrow(message);
});

test("a line without a token and a token that was there before are warned of", () => {
  const problems: string[] = [];
  const users = createTokenFileMechanism(",x,1\na,b,2\na,c,3\n", (problem) => problems.push(problem));
  expect(problems).toEqual([
    "token file: line 1: the token is empty",
    "token file: line 3: the token stands in an earlier line too",
  ]);
  expect(users.authenticate("a", asked)).toMatchObject({
    user: { name: "c" },
  });
});
