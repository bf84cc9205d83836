import type { Cost } from "./counted-server.js";

/**
 * What a request may cost on a warm server, whatever the machine: the counts as measured with Node.js 20, and some room for the bytes. A
 * change that needs more raises a number here and says why beside it; one that needs less lowers it.
 */
export const budget: Readonly<Record<string, Cost>> = {
  "get, HTTP/1.1": { promises: 9, ticks: 8, timers: 1, immediates: 1, writes: 1, kilobytes: 25 },
  "get, HTTP/2": { promises: 9, ticks: 9, timers: 0, immediates: 3, writes: 1, kilobytes: 34 },
  "list of 100": { promises: 38, ticks: 12, timers: 1, immediates: 2, writes: 2, kilobytes: 85 },
  // The disk is written to once or twice more or less.
  create: { promises: 30, ticks: 5, timers: 2, immediates: 2, writes: 13, kilobytes: 95 },
  update: { promises: 34, ticks: 5, timers: 2, immediates: 2, writes: 15, kilobytes: 115 },
  // For each watcher.
  "watch event": { promises: 0, ticks: 0, timers: 0, immediates: 0, writes: 1, kilobytes: 2 },
};
