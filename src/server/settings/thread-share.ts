import type { Options } from "../options/options.js";

/** The part of a server-wide limit for each thread that serves. 0 means no limit and stays 0. */
export function threadShare({ servingThreads }: Pick<Options, "servingThreads">, limit: number): number {
  return Math.ceil(limit / servingThreads);
}
