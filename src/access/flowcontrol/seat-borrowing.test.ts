import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allotSeats, DemandMeter, noDemand, seatBounds } from "./seat-borrowing.js";

const steady = (seats: number) => ({ peak: seats, usual: seats });

describe("bounds", () => {
  test.each([
    [10, 0, 0, { nominal: 10, min: 10, max: 10 }],
    [10, 33, 25, { nominal: 10, min: 7, max: 12 }],
    [10, 100, undefined, { nominal: 10, min: 1, max: 100 }],
    [10, 0, 5000, { nominal: 10, min: 10, max: 100 }],
    [0, 0, 50, { nominal: 0, min: 0, max: 0 }],
    [0, 0, undefined, { nominal: 0, min: 0, max: 100 }],
  ])("of %i seats, %i %% lendable, borrowing up to %s %%", (nominal, lendable, borrowing, bounds) => {
    expect(seatBounds(nominal, 100, lendable, borrowing)).toEqual(bounds);
  });
});

describe("allotment", () => {
  const lender = seatBounds(60, 100, 50, 0);
  const borrower = seatBounds(20, 100, 0, undefined);
  const careful = seatBounds(20, 100, 0, 50);

  test("leaves every level its own while nobody wants more", () => {
    const levels = [lender, borrower, careful].map((each) => ({ ...each, demand: noDemand }));
    expect(allotSeats(levels)).toEqual({ seats: [60, 20, 20], targets: [30, 20, 20], fairFraction: 1 });
  });

  test("lends what a level wants, within its borrowing limit", () => {
    const levels = [
      { ...lender, demand: noDemand },
      { ...borrower, demand: steady(25) },
      { ...careful, demand: steady(500) },
    ];
    expect(allotSeats(levels)).toMatchObject({
      seats: [45, 25, 30],
      targets: [30, 25, 500],
      fairFraction: 1,
    });
  });

  test("lends no more than is lendable", () => {
    const levels = [
      { ...lender, demand: noDemand },
      { ...borrower, demand: steady(500) },
      { ...careful, demand: noDemand },
    ];
    const { seats, fairFraction } = allotSeats(levels);
    expect(seats).toEqual([30, 50, 20]);
    // The borrower wants all 100 seats, and has half of them.
    expect(fairFraction).toBeCloseTo(0.5);
  });

  test("gives a lender its own back", () => {
    const levels = [
      { ...lender, demand: { peak: 60, usual: 1 } },
      { ...borrower, demand: steady(500) },
      { ...careful, demand: steady(500) },
    ];
    expect(allotSeats(levels).seats).toEqual([60, 20, 20]);
  });

  test("stays within all bounds and the total, whatever the demand", () => {
    const level = fc
      .record({
        nominal: fc.integer({ min: 0, max: 200 }),
        lendable: fc.integer({ min: 0, max: 100 }),
        borrowing: fc.option(fc.integer({ min: 0, max: 300 }), { nil: undefined }),
        demand: fc.record({ peak: fc.integer({ min: 0, max: 2000 }), usual: fc.nat({ max: 2000 }) }),
      })
      .map(({ nominal, lendable, borrowing, demand }) => ({ nominal, lendable, borrowing, demand }));
    fc.assert(
      fc.property(fc.array(level, { minLength: 1, maxLength: 12 }), (levels) => {
        const total = levels.reduce((sum, { nominal }) => sum + nominal, 0);
        const bounded = levels.map(({ nominal, lendable, borrowing, demand }) => ({
          ...seatBounds(nominal, total, lendable, borrowing),
          demand,
        }));
        const { seats } = allotSeats(bounded);
        for (const [index, { min, max, nominal, demand }] of bounded.entries()) {
          expect(seats[index]).toBeGreaterThanOrEqual(Math.max(min, Math.min(nominal, demand.peak)));
          expect(seats[index]).toBeLessThanOrEqual(max);
        }
        expect(seats.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(total);
      }),
    );
  });
});

test("the usual demand is the average and the deviation, at most the peak, and falls slowly", () => {
  const meter = new DemandMeter();
  for (const seats of [0, 10, 0, 10]) meter.sample(seats);
  expect(meter.take()).toEqual({ peak: 10, usual: 10, mean: 5, deviation: 5 });
  for (const seats of [4, 4, 4]) meter.sample(seats);
  const { peak, usual } = meter.take();
  expect(peak).toBe(4);
  expect(usual).toBeCloseTo(0.977 * 10 + 0.023 * 4);
});
