import { expect, test } from "vitest";
import { Summary } from "./summary.js";

const hourMs = 3_600_000;

function summary() {
  const clock = { now: 0 };
  const made = new Summary({ quantiles: [0.5, 0.9, 0.99], maxAgeMs: 5 * hourMs }, () => clock.now);
  return { clock, made };
}

test("quantiles are within one percent of the exact ones", () => {
  const { made } = summary();
  for (let i = 1; i <= 10_000; i++) made.observe(i / 1e6);
  const exact = [0.005, 0.009, 0.0099];
  for (const [index, value] of made.values().entries()) {
    expect(Math.abs(value / (exact[index] ?? 0) - 1)).toBeLessThan(0.01);
  }
  expect(made.count).toBe(10_000);
  expect(made.sum).toBeCloseTo(50.005, 6);
});

test("a zero is a zero", () => {
  const { made } = summary();
  made.observe(0);
  expect(made.values()).toEqual([0, 0, 0]);
});

test("only recent observations count for quantiles, all of them for sum and number", () => {
  const { clock, made } = summary();
  expect(made.values()).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  for (let i = 0; i < 99; i++) made.observe(1);
  clock.now = 4.5 * hourMs;
  made.observe(100);
  expect(Math.round(made.values()[0] ?? 0)).toBe(1);
  clock.now = 5.5 * hourMs;
  expect(Math.round(made.values()[0] ?? 0)).toBe(100);
  expect([made.count, made.sum]).toEqual([100, 199]);
  clock.now = 10 * hourMs;
  expect(made.values()).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  made.observe(7);
  expect(Math.round(made.values()[2] ?? 0)).toBe(7);
});
