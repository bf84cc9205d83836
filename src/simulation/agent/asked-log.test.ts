import { expect, test } from "vitest";
import { askedLog, beginOfRun, logQueryOf } from "./asked-log.js";

const begin = "2024-05-01T12:00:00Z";
const now = Date.parse("2024-05-01T12:01:00Z");

test.each([
  ["", "one\ntwö\n"],
  ["tailLines=1", "twö\n"],
  ["tailLines=0", ""],
  ["limitBytes=5", "one\nt"],
  ["timestamps=true&tailLines=1", "2024-05-01T12:00:00.000000000Z twö\n"],
  ["sinceSeconds=60", "one\ntwö\n"],
  ["sinceSeconds=59", ""],
  ["sinceTime=2024-05-01T12:00:00Z", "one\ntwö\n"],
  ["sinceTime=2024-05-01T12:00:01Z", ""],
  ["stream=Stdout", "one\ntwö\n"],
  ["stream=Stderr", ""],
])("a request with %j gets %j", (parameters, text) => {
  const query = logQueryOf(new URLSearchParams(parameters), now);
  expect(askedLog(["one", "twö"], begin, query).toString()).toBe(text);
});

test("the log of a container that waits for its next start is that of its last run", () => {
  const base = { name: "c", image: "i", imageID: "", ready: false, restartCount: 1 };
  const lastState = { terminated: { exitCode: 1, startedAt: begin } };
  expect(beginOfRun({ ...base, state: { waiting: {} }, lastState }, false)).toBe(begin);
  const running = { ...base, state: { running: { startedAt: "2024-05-01T12:00:30Z" } }, lastState };
  expect(beginOfRun(running, false)).toBe("2024-05-01T12:00:30Z");
  expect(beginOfRun(running, true)).toBe(begin);
});
