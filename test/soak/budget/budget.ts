import type { Cost } from "./counted-server.js";

/**
 * What a request may cost on a warm server, whatever the machine: the counts as measured with Node.js 20, and some room for the bytes. A
 * change that needs more raises a number here and says why beside it; one that needs less lowers it.
 */
export const budget: Readonly<Record<string, Cost>> = {
  "get, HTTP/1.1": { promises: 0, ticks: 8, timers: 0, immediates: 1, writes: 1, kilobytes: 18 },
  "get, HTTP/2": { promises: 0, ticks: 9, timers: 0, immediates: 3, writes: 1, kilobytes: 23 },
  "list of 100": { promises: 38, ticks: 12, timers: 0, immediates: 2, writes: 2, kilobytes: 70 },
  // The disk is written to once or twice more or less.
  create: { promises: 30, ticks: 5, timers: 1, immediates: 2, writes: 13, kilobytes: 75 },
  update: { promises: 34, ticks: 5, timers: 1, immediates: 2, writes: 15, kilobytes: 100 },
  // For each watcher.
  "watch event": { promises: 0, ticks: 0, timers: 0, immediates: 0, writes: 1, kilobytes: 2 },
};
