import { type Clock, systemClock } from "../../time/clock.js";
import type { Options } from "../options/options.js";
import type { Closing } from "./closing.js";

/** The machine's clock, or one that tests move and that starts at `begin`. */
export async function openClock(
  { lab }: Pick<Options, "lab">,
  closing: Closing,
  begin?: { readonly startMs: number; readonly isFrozen: boolean } | undefined,
): Promise<Clock> {
  if (!lab) return systemClock;
  const { MovableClock } = await import("../../time/movable-clock.js");
  const clock = new MovableClock(begin?.startMs);
  if (begin?.isFrozen === true) clock.freeze();
  closing.add(async () => clock.close());
  return clock;
}
