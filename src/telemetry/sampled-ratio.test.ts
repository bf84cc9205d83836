import { expect, test } from "vitest";
import { Distribution } from "./distribution.js";
import { SampledRatio } from "./sampled-ratio.js";

function open(limit: number) {
  const make = (): Distribution => new Distribution([0, 0.5, 1]);
  const samples = make();
  const marks = { high: make(), low: make() };
  return { shown: { samples, ...marks }, ratio: new SampledRatio({ samples, marks }, limit, 1000) };
}

test("a value counts once for each millisecond that it lasted", () => {
  const { ratio, shown } = open(4);
  ratio.add(2, 1010.5);
  ratio.add(-2, 1013.2);
  ratio.sample(1020);
  expect(shown.samples.counts).toEqual([17, 3, 0, 0]);
  expect(shown.samples.sum).toBe(1.5);
});

test("what came and went between two samples is in the high watermark alone", () => {
  const { ratio, shown } = open(4);
  ratio.add(3, 1000.2);
  ratio.add(-3, 1000.6);
  ratio.sample(1003);
  expect(shown.samples.counts).toEqual([3, 0, 0, 0]);
  expect(shown.high.counts).toEqual([2, 0, 1, 0]);
  expect(shown.low.counts).toEqual([3, 0, 0, 0]);
});

test("a gap between two samples is in the low watermark alone", () => {
  const { ratio, shown } = open(1);
  ratio.add(1, 1000.2);
  ratio.sample(1002);
  ratio.add(-1, 1002.2);
  ratio.add(1, 1002.3);
  ratio.sample(1003);
  expect(shown.samples.counts).toEqual([0, 0, 3, 0]);
  expect(shown.high.counts).toEqual([0, 0, 3, 0]);
  expect(shown.low.counts).toEqual([2, 0, 1, 0]);
});

test("a new limit holds for later samples", () => {
  const { ratio, shown } = open(2);
  ratio.add(2, 1000);
  ratio.setLimit(4, 1001);
  ratio.sample(1003);
  expect(shown.samples.counts).toEqual([0, 2, 1, 0]);
});

test("an earlier time changes nothing but the value", () => {
  const { ratio, shown } = open(1);
  ratio.add(1, 1005);
  ratio.add(-1, 1003);
  ratio.sample(1006);
  expect(shown.samples.counts).toEqual([6, 0, 0, 0]);
});

test("a sample may count often", () => {
  const samples = new Distribution([0, 1]);
  const ratio = new SampledRatio({ samples, weight: 1000 }, 2, 1000);
  ratio.add(1, 1001);
  ratio.sample(1003);
  expect(samples.counts).toEqual([1000, 2000, 0]);
  expect(samples.sum).toBe(1000);
});
