import { effect, signal } from "@preact/signals";
import { labClock, serverNow } from "../api/lab.ts";

/** The server's time. Updates while something shows it. */
export const now = signal(Date.now());
const tick = (): void => {
  now.value = serverNow();
};
setInterval(() => {
  if (!document.hidden) tick();
}, 5000);
effect(() => {
  if (labClock.value !== undefined) tick();
});

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Like the ages in the server's tables: `45s`, `3m20s`, `5h`, `12d`, `2y40d`. */
export function ageOf(atMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - atMs) / 1000));
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return join(seconds, minute, "m", 1, "s");
  if (seconds < 3 * hour) return `${Math.floor(seconds / minute)}m`;
  if (seconds < 8 * hour) return join(seconds, hour, "h", minute, "m");
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)}h`;
  if (seconds < 8 * day) return join(seconds, day, "d", hour, "h");
  if (seconds < 2 * year) return `${Math.floor(seconds / day)}d`;
  if (seconds < 8 * year) return join(seconds, year, "y", day, "d");
  return `${Math.floor(seconds / year)}y`;
}

function join(seconds: number, unit: number, name: string, smaller: number, smallerName: string): string {
  const rest = Math.floor((seconds % unit) / smaller);
  const whole = `${Math.floor(seconds / unit)}${name}`;
  return rest === 0 ? whole : `${whole}${rest}${smallerName}`;
}
