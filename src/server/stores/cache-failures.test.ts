import { expect, test } from "vitest";
import { StorageError } from "../../storage/storage-error.js";
import { cacheFailures } from "./cache-failures.js";

const lost =
  "the watch cache of secrets lost touch with the store, which answers for it until it has read everything again: ";

function failuresUnderTest() {
  const reported: unknown[] = [];
  const clock = { now: 0 };
  const failures = cacheFailures(
    "secrets",
    (reason) => reported.push(reason),
    () => clock.now,
  );
  return { reported, clock, failures };
}

test("a reason that lasts is reported once, and again after five minutes", () => {
  const { reported, clock, failures } = failuresUnderTest();
  const unreadable = () => failures.failed(new StorageError("Corrupt", "no key", { cause: new Error("x") }));
  for (; clock.now < 300_000; clock.now += 5000) unreadable();
  expect(reported).toEqual([`${lost}no key`]);
  unreadable();
  expect(reported).toEqual([`${lost}no key`, `${lost}no key`]);
});

test("another reason is reported at once, and so is one that comes back after the cache was full", () => {
  const { reported, failures } = failuresUnderTest();
  failures.failed(new StorageError("Unavailable", "gone"));
  failures.failed(new StorageError("Corrupt", "no key"));
  failures.initialized(3, 1);
  failures.failed(new StorageError("Corrupt", "no key"));
  expect(reported).toEqual([`${lost}gone`, `${lost}no key`, `${lost}no key`]);
});

test("an error that is not the store's keeps its cause, and so its stack", () => {
  const { reported, failures } = failuresUnderTest();
  const cause = new TypeError("defect");
  failures.failed(cause);
  expect(reported).toEqual([new Error(`${lost}defect`, { cause })]);
});
