import { expect, test } from "vitest";
import type { PodView } from "../pods/pod-view.js";
import { RemovedPods } from "./removed-pods.js";

test("counts follow pods that leave and come back, and ask about each pod only once per move", () => {
  const pods = ["a1", "a2", "b1"].map((name) => ({ name }) as unknown as PodView); // what the conditions look at
  const asked: string[] = [];
  const isOfA = ({ name }: PodView) => {
    asked.push(name);
    return name.startsWith("a");
  };
  const gone = new RemovedPods();
  for (const pod of pods) gone.add(pod);
  expect([gone.countOf("of a", isOfA), gone.size]).toEqual([2, 3]);
  for (const pod of pods) gone.delete(pod);
  expect([gone.countOf("of a", isOfA), gone.size]).toEqual([0, 0]);
  for (const pod of pods.slice(1)) gone.add(pod);
  expect([gone.countOf("of a", isOfA), gone.size]).toEqual([1, 2]);
  expect(asked).toEqual(["a1", "a2", "b1", "a1", "a2", "b1", "a2", "b1"]);
});
