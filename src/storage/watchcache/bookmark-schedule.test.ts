import { expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { nextBookmarkAt } from "../store/bookmark-timing.js";
import { BookmarkSchedule } from "./bookmark-schedule.js";

test("entries are woken at their second, moved and removed ones not at the old one", async () => {
  const clock = new ManualClock(1000);
  const woken: string[] = [];
  let soon = 0;
  const schedule = new BookmarkSchedule<string>(
    clock,
    (due) => woken.push(...[...due].map((name) => `${name}@${clock.now()}`)),
    () => soon++,
  );
  schedule.set("a", 3500);
  schedule.set("b", 5000);
  schedule.set("b", 9000);
  schedule.set("c", 5000);
  schedule.delete("c");
  schedule.set("overdue", 0);
  await clock.advance(20_000);
  expect(woken).toEqual(["overdue@2000", "a@3000", "b@9000"]);
  expect(soon).toBeGreaterThan(0);
  schedule.set("later", 25_000);
  await clock.advance(10_000);
  expect(woken.at(-1)).toBe("later@25000");
});

test.each([
  [0, undefined, 0.5, 60_000],
  [0, undefined, 0, 45_000],
  [0, 1_000_000, 1, 75_000],
  [0, 30_000, 0.5, 28_000],
  [29_000, 30_000, 0.5, 89_000],
])("from %i with deadline %s and chance %f the next bookmark is at %i", (now, deadline, chance, expected) => {
  expect(nextBookmarkAt(now, deadline, () => chance)).toBe(expected);
});
