import { afterEach, beforeEach, expect, test, vi } from "vitest";

// A fresh module, because the shared timer may already run by the real clock.
vi.resetModules();
const { ConvertedForms } = await import("./converted-forms.js");

const made = vi.fn((object: { name: string }) => `form of ${object.name}`);
const object = { name: "a" };

beforeEach(() => {
  vi.useFakeTimers();
  made.mockClear();
});

afterEach(() => {
  // Runs the shared timer, which would otherwise be lost with the fake clock.
  vi.advanceTimersByTime(10 * 60_000);
  vi.useRealTimers();
});

test("a form is made once while forms are used", () => {
  const forms = new ConvertedForms<{ name: string }, string>();
  for (let round = 0; round < 10; round++) {
    expect(forms.get(object, made)).toBe("form of a");
    vi.advanceTimersByTime(20_000);
  }
  expect(made).toHaveBeenCalledTimes(1);
});

test("unused forms are dropped, and the timer ends", () => {
  const forms = new ConvertedForms<{ name: string }, string>();
  forms.get(object, made);
  vi.advanceTimersByTime(10 * 60_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(forms.get(object, made)).toBe("form of a");
  expect(made).toHaveBeenCalledTimes(2);
});

test("forms beyond the room for them are made each time, and there is room again after a while", () => {
  const forms = new ConvertedForms<{ name: string }, string>(20);
  const [kept, other] = [{ name: "kept" }, { name: "other" }];
  for (let round = 0; round < 3; round++) {
    forms.get(kept, made);
    forms.get(other, made);
  }
  expect(made.mock.calls.map(([{ name }]) => name)).toEqual(["kept", "other", "other", "other"]);
  vi.advanceTimersByTime(60_000);
  made.mockClear();
  forms.get(other, made);
  forms.get(other, made);
  expect(made).toHaveBeenCalledTimes(1);
});
