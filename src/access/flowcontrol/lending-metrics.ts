import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Distribution } from "../../telemetry/distribution.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { nanosecondsOfMs } from "./load-samples.js";
import type { SeatBounds, SeatDemand } from "./seat-borrowing.js";

const demandBounds = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];

/** The seats that priority levels lend and borrow, shown from API level 1.26 on. */
export class LendingMetrics {
  /** Shown at all levels. */
  readonly #currentLimits: MetricFamily<Figure>;
  readonly #seats: ReturnType<typeof seatGauges> | undefined;
  readonly #demands: MetricFamily<Distribution> | undefined;
  readonly #fairFraction: Figure | undefined;

  constructor(metrics: Metrics, level: ApiLevel) {
    this.#currentLimits = metrics.gauge({
      name: "apiserver_flowcontrol_current_limit_seats",
      help: "Seats of a priority level with those that it borrows, without those that it lends.",
      labels: ["priority_level"],
    });
    if (!isAtLeast(level, "1.26")) return;
    this.#seats = seatGauges(metrics);
    this.#demands = metrics.histogram({
      name: "apiserver_flowcontrol_demand_seats",
      help: "Seats that a priority level could use, relative to those that it has, for every nanosecond.",
      labels: ["priority_level"],
      bounds: demandBounds,
    });
    this.#fairFraction = metrics
      .gauge({
        name: "apiserver_flowcontrol_seat_fair_frac",
        help: "The part of the seats it could use that each priority level has: 1 while there are enough.",
        labels: [],
      })
      .with();
  }

  /** Seats after lending and borrowing. */
  allotted(level: string, seats: number): void {
    this.#currentLimits.with(level).value = seats;
  }

  /** The bounds between which the seats of a level may move. */
  bounded(level: string, { nominal, min, max }: SeatBounds): void {
    if (this.#seats === undefined) return;
    this.#seats.nominal.with(level).value = nominal;
    this.#seats.lower.with(level).value = min;
    this.#seats.upper.with(level).value = max;
  }

  /** Called at the end of a period. */
  demanded(level: string, { peak, usual, mean = 0, deviation = 0 }: SeatDemand): void {
    if (this.#seats === undefined) return;
    this.#seats.peak.with(level).value = peak;
    this.#seats.mean.with(level).value = mean;
    this.#seats.deviation.with(level).value = deviation;
    this.#seats.usual.with(level).value = usual;
  }

  /** A level with `seats` could use `wanted` for a while. */
  demandSampled(level: string, wanted: number, seats: number, ms: number): void {
    this.#demands?.with(level).observe(wanted / Math.max(1, seats), ms * nanosecondsOfMs);
  }

  /** The seats that the level's seats move towards. */
  targeted(level: string, seats: number): void {
    if (this.#seats !== undefined) this.#seats.target.with(level).value = seats;
  }

  /** The fraction of its demand that each level gets. */
  fairFraction(fraction: number): void {
    if (this.#fairFraction !== undefined) this.#fairFraction.value = fraction;
  }

  removed(level: string): void {
    this.#currentLimits.remove(level);
    this.#demands?.remove(level);
    for (const family of Object.values(this.#seats ?? {})) family.remove(level);
  }
}

/** By the names of Kubernetes 1.26. */
function seatGauges(metrics: Metrics) {
  const gauge = (name: string, help: string) =>
    metrics.gauge({ name: `apiserver_flowcontrol_${name}`, help, labels: ["priority_level"] });
  return {
    nominal: gauge("nominal_limit_seats", "Seats of a priority level by its shares."),
    lower: gauge("lower_limit_seats", "Seats that a priority level keeps when it lends."),
    upper: gauge("upper_limit_seats", "Seats that a priority level may have when it borrows."),
    peak: gauge(
      "demand_seats_high_watermark",
      "The most seats that a priority level could use in the last period.",
    ),
    mean: gauge(
      "demand_seats_average",
      "Seats that a priority level could use in the last period, on average.",
    ),
    deviation: gauge(
      "demand_seats_stdev",
      "The standard deviation of the seats that a priority level could use.",
    ),
    usual: gauge("demand_seats_smoothed", "Seats that a priority level could use, smoothed over periods."),
    target: gauge("target_seats", "Seats that a priority level would have if there were enough."),
  };
}
