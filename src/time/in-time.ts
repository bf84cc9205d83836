import { timerMs } from "./clock.js";

/** Resolves with true when `work` has ended, and with false after `withinMs` of the machine's time. Rejects as `work` does before that. */
export async function inTime(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timerMs(withinMs));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
