import type { Cost } from "./counted-server.js";

/**
 * What a request may cost on a warm server, whatever the machine: the counts as measured with Node.js 20, and some room for the bytes. A
 * change that needs more raises a number here and says why beside it; one that needs less lowers it.
 */
export const budget: Readonly<Record<string, Cost>> = {
  "get, HTTP/1.1": { promises: 13, ticks: 8, timers: 1, immediates: 1, writes: 1, kilobytes: 27 },
  "get, HTTP/2": { promises: 13, ticks: 9, timers: 0, immediates: 3, writes: 1, kilobytes: 29 },
  "list of 100": { promises: 41, ticks: 12, timers: 1, immediates: 2, writes: 2, kilobytes: 72 },
  // The disk may be written to once more or less.
  create: { promises: 52, ticks: 5, timers: 2, immediates: 2, writes: 13, kilobytes: 97 },
  update: { promises: 66, ticks: 5, timers: 2, immediates: 2, writes: 14, kilobytes: 120 },
  "watch event": { promises: 0, ticks: 0, timers: 0, immediates: 0, writes: 1, kilobytes: 1 },
};
