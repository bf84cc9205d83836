import { expect, test } from "vitest";
import { WatchTracker } from "./watch-tracker.js";

const pods = { apiGroup: "", resource: "pods", namespace: "", name: "" };

test("a write feeds the watches of everything, of its namespace and of its name, until they end", () => {
  const tracker = new WatchTracker();
  const ends = [
    tracker.add(pods),
    tracker.add({ ...pods, namespace: "a" }),
    tracker.add({ ...pods, namespace: "a", name: "x" }),
    tracker.add({ ...pods, namespace: "b" }),
    tracker.add({ ...pods, resource: "nodes" }),
  ];
  expect(tracker.count({ ...pods, namespace: "a", name: "x" })).toBe(3);
  expect(tracker.count({ ...pods, namespace: "b", name: "x" })).toBe(2);
  expect(tracker.count({ ...pods, namespace: "c", name: "" })).toBe(1);
  ends[0]?.();
  ends[0]?.();
  expect(tracker.count({ ...pods, namespace: "a", name: "x" })).toBe(2);
});
