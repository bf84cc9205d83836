import { expect, test } from "vitest";
import { LoopTurns } from "../../event-loop/loop-turns.js";
import { RequestTurns } from "./request-turns.js";

test("requests begin at once until the round has lasted long, and then in their order", async () => {
  let isOver = false;
  const turns = new RequestTurns({ isRoundOver: () => isOver, requests: new LoopTurns().requests });
  expect(turns.wait("a")).toBeUndefined();
  expect(turns.wait("a")).toBeUndefined();
  isOver = true;
  const begun: string[] = [];
  const first = turns.wait("a")?.then(() => begun.push("first"));
  isOver = false;
  // A later request does not overtake one that waits.
  const second = turns.wait("a")?.then(() => begun.push("second"));
  expect(begun).toEqual([]);
  await Promise.all([first, second]);
  expect(begun).toEqual(["first", "second"]);
  expect(turns.wait("a")).toBeUndefined();
});

test("a client with many requests does not keep another's waiting", async () => {
  const turns = new RequestTurns({ isRoundOver: () => true, requests: new LoopTurns().requests });
  const begun: string[] = [];
  const all = ["greedy", "greedy", "greedy", "polite"].map((client) =>
    turns.wait(client)?.then(() => begun.push(client)),
  );
  await Promise.all(all);
  expect(begun).toEqual(["greedy", "polite", "greedy", "greedy"]);
});
