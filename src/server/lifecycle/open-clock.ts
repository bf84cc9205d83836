import { type Clock, systemClock } from "../../time/clock.js";
import type { Options } from "../options/options.js";
import type { Closing } from "./closing.js";

/** The machine's, or one that tests move. */
export async function openClock({ lab }: Pick<Options, "lab">, closing: Closing): Promise<Clock> {
  if (!lab) return systemClock;
  const { MovableClock } = await import("../../time/movable-clock.js");
  const clock = new MovableClock();
  closing.add(async () => clock.close());
  return clock;
}
