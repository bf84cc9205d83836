/** The range of seats that lending and borrowing may give a priority level. */
export interface SeatBounds {
  /** Its own seats. */
  readonly nominal: number;
  readonly min: number;
  readonly max: number;
}

/** The demand of a priority level, in seats. */
export interface SeatDemand {
  /** The highest demand of the last period. */
  readonly peak: number;
  /** The usual demand, which falls slowly. */
  readonly usual: number;
  /** Mean of the last period's samples. */
  readonly mean?: number | undefined;
  readonly deviation?: number | undefined;
}

export const noDemand: SeatDemand = { peak: 0, usual: 0 };

/** How much of its former value the usual demand keeps from one period to the next when demand falls. */
const decay = 0.977;

/**
 * The bounds by `lendablePercent` and `borrowingLimitPercent`, rounded so that no level lends or borrows more. A level with its own seats
 * keeps at least one.
 */
export function seatBounds(
  nominal: number,
  total: number,
  lendablePercent: number,
  borrowingLimitPercent: number | undefined,
): SeatBounds {
  const lendable = Math.floor((nominal * lendablePercent) / 100);
  const borrowable =
    borrowingLimitPercent === undefined ? total : Math.floor((nominal * borrowingLimitPercent) / 100);
  return {
    nominal,
    min: Math.max(Math.min(nominal, 1), nominal - lendable),
    max: Math.max(nominal, Math.min(total, nominal + borrowable)),
  };
}

/** The division of seats, in the order of the levels. */
export interface Allotment {
  readonly seats: readonly number[];
  /** What each level would have if there were enough, even beyond its limit. */
  readonly targets: readonly number[];
  /** The part of its demand that each level has, within its bounds; 1 while there are enough. */
  readonly fairFraction: number;
}

/** Measures the demand of a priority level by samples. */
export class DemandMeter {
  #count = 0;
  #mean = 0;
  /** Sum of the squared distances from the mean. */
  #squares = 0;
  #peak = 0;
  #usual = 0;

  sample(seats: number): void {
    this.#count++;
    const distance = seats - this.#mean;
    this.#mean += distance / this.#count;
    this.#squares += distance * (seats - this.#mean);
    this.#peak = Math.max(this.#peak, seats);
  }

  /** Ends the period. */
  take(): SeatDemand {
    const deviation = this.#count === 0 ? 0 : Math.sqrt(this.#squares / this.#count);
    const peak = this.#peak;
    const mean = this.#mean;
    const envelope = Math.min(peak, mean + deviation);
    this.#usual = Math.max(envelope, decay * this.#usual + (1 - decay) * envelope);
    this.#count = 0;
    this.#mean = 0;
    this.#squares = 0;
    this.#peak = 0;
    return { peak, usual: this.#usual, mean, deviation };
  }
}

/**
 * Divides the nominal seats of all levels anew, within their bounds. A level with demand gets up to its nominal seats back. Unwanted
 * seats stay with their levels. When the demand exceeds the seats, each level gets the same fraction of its demand, within its
 * bounds. KEP-1040, "Dispatching", with one difference: there, levels share unwanted seats in proportion to their demand.
 */
export function allotSeats(levels: readonly (SeatBounds & { readonly demand: SeatDemand })[]): Allotment {
  const total = levels.reduce((sum, { nominal }) => sum + nominal, 0);
  const claims = levels.map(({ nominal, min, max, demand }) => {
    const lower = Math.max(min, Math.min(nominal, demand.peak));
    const target = Math.max(lower, demand.usual);
    return { nominal, lower, max, target, wanted: Math.min(max, Math.ceil(target)) };
  });
  const targets = claims.map(({ target }) => target);
  const left = total - claims.reduce((sum, { wanted }) => sum + wanted, 0);
  if (left >= 0) {
    const missing = claims.map(({ nominal, wanted }) => Math.max(0, nominal - wanted));
    const allMissing = missing.reduce((sum, seats) => sum + seats, 0);
    const part = allMissing === 0 ? 0 : Math.min(1, left / allMissing);
    const seats = wholeSeats(claims.map(({ wanted }, index) => wanted + part * (missing[index] ?? 0)));
    return { seats, targets, fairFraction: 1 };
  }
  // Bisection: the sum grows with the fraction, from that of the lower bounds, which fit, to that of the demand, which does not.
  const allotted = (fraction: number): number[] =>
    claims.map(({ lower, wanted }) => Math.max(lower, fraction * wanted));
  let fits = 0;
  let exceeds = 1;
  for (let step = 0; step < bisections; step++) {
    const middle = (fits + exceeds) / 2;
    if (allotted(middle).reduce((sum, seats) => sum + seats, 0) <= total) fits = middle;
    else exceeds = middle;
  }
  return { seats: wholeSeats(allotted(fits)), targets, fairFraction: fits };
}

const bisections = 40;

/** Rounds without changing the sum by more than a fraction of a seat: what rounding down leaves goes to the largest remainders. */
function wholeSeats(seats: readonly number[]): number[] {
  const whole = seats.map(Math.floor);
  const sum = seats.reduce((total, each) => total + each, 0);
  // A fraction found by bisection is a little too small.
  let left = Math.floor(sum + roundingSlack) - whole.reduce((total, each) => total + each, 0);
  const byRemainder = seats
    .map((each, index) => ({ index, remainder: each - Math.floor(each) }))
    .filter(({ remainder }) => remainder > 0)
    .sort((a, b) => b.remainder - a.remainder);
  for (const { index } of byRemainder) {
    if (left-- <= 0) break;
    whole[index] = (whole[index] ?? 0) + 1;
  }
  return whole;
}

const roundingSlack = 1e-6;
