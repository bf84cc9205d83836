import { expect, test } from "vitest";
import { type ConsoleCredential, ConsoleSessions } from "./console-sessions.js";

const user = { name: "ann", uid: "", groups: [], extra: {} };
const credential: ConsoleCredential = { kind: "token", token: "t" };

function openSessions() {
  let nowMs = 0;
  let count = 0;
  const sessions = new ConsoleSessions({ randomKey: () => `key-${++count}`, nowMs: () => nowMs });
  const pass = (minutes: number): void => {
    nowMs += minutes * 60_000;
  };
  return { sessions, pass };
}

test("a link opens one session", () => {
  const { sessions } = openSessions();
  const key = sessions.issueLink(credential, "ann");
  expect(sessions.redeemLink("another")).toBeUndefined();
  expect(sessions.redeemLink(key)).toBe(credential);
  expect(sessions.redeemLink(key)).toBeUndefined();
});

test("a link ends after 15 minutes", () => {
  const { sessions, pass } = openSessions();
  const key = sessions.issueLink(credential, "ann");
  pass(15);
  expect(sessions.redeemLink(key)).toBeUndefined();
});

test("a session needs both of its keys, until it ends", () => {
  const { sessions, pass } = openSessions();
  const { session, keys } = sessions.open(credential, user);
  const other = sessions.open(credential, user).keys;
  expect(sessions.find(keys)).toBe(session);
  expect(sessions.find({ cookie: keys.cookie })).toBeUndefined();
  expect(sessions.find({ page: keys.page })).toBeUndefined();
  expect(sessions.find({ cookie: keys.cookie, page: other.page })).toBeUndefined();
  pass(12 * 60);
  expect(sessions.find(keys)).toBeUndefined();
});

test("signing out needs both keys, too", () => {
  const { sessions } = openSessions();
  const { keys } = sessions.open(credential, user);
  sessions.end({ cookie: keys.cookie });
  expect(sessions.find(keys)).toBeDefined();
  sessions.end(keys);
  expect(sessions.find(keys)).toBeUndefined();
});

test("the oldest of too many go, those of the same user first", () => {
  const { sessions } = openSessions();
  const first = sessions.issueLink(credential, "ann");
  const others = Array.from({ length: 60 }, () => sessions.issueLink(credential, "bob"));
  expect(others.map((key) => sessions.redeemLink(key) === credential)).toEqual([
    ...Array.from({ length: 10 }, () => false),
    ...Array.from({ length: 50 }, () => true),
  ]);
  const many = Array.from({ length: 999 }, (_, index) => sessions.issueLink(credential, `user ${index}`));
  sessions.issueLink(credential, "eve");
  expect(sessions.redeemLink(first)).toBeUndefined();
  expect(many.every((key) => sessions.redeemLink(key) === credential)).toBe(true);
});
