import type { Options } from "../options/options.js";

/** The part of a limit of the whole server that each of the threads that serve has. 0, which is no limit, stays. */
export function threadShare({ servingThreads }: Pick<Options, "servingThreads">, limit: number): number {
  return Math.ceil(limit / servingThreads);
}
