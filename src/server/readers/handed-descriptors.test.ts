import { fstatSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { afterEach, expect, test } from "vitest";
import { HandedDescriptors } from "./handed-descriptors.js";
import { ReaderState } from "./reader-state.js";

const state = new ReaderState();
const handed = new HandedDescriptors(state);
afterEach(() => handed.close());

test("descriptors that a thread did not come to are closed after its end, the others are its own", () => {
  const descriptors = Array.from({ length: 5 }, () => openSync(devNull, "r"));
  const isOpen = () =>
    descriptors.map((descriptor) => {
      try {
        return fstatSync(descriptor) !== undefined;
      } catch {
        return false;
      }
    });
  for (const descriptor of descriptors.slice(0, 3)) handed.add(descriptor);
  state.took();
  state.took();
  for (const descriptor of descriptors.slice(3)) handed.add(descriptor);
  state.took();
  handed.close();
  expect(isOpen()).toEqual([true, true, true, false, false]);
  handed.close();
  expect(isOpen()).toEqual([true, true, true, false, false]);
});
