const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** A duration in milliseconds as tables print ages: `90s`, `5m12s`, `3h`, `2d4h`, `400d`, `3y12d`. */
export function durationText(ms: number): string {
  // Rounded down to whole seconds first, like the other steps.
  if (ms <= -2 * second) return "<invalid>";
  if (ms < 0) return "0s";
  if (ms < 2 * minute) return `${Math.floor(ms / second)}s`;
  if (ms < 10 * minute) return twoUnits(ms, minute, "m", second, "s");
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`;
  if (ms < 8 * hour) return twoUnits(ms, hour, "h", minute, "m");
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`;
  if (ms < 8 * day) return twoUnits(ms, day, "d", hour, "h");
  if (ms < 2 * year) return `${Math.floor(ms / day)}d`;
  if (ms < 8 * year) return twoUnits(ms, year, "y", day, "d");
  return `${Math.floor(ms / year)}y`;
}

function twoUnits(ms: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % big) / small);
  return `${Math.floor(ms / big)}${bigUnit}${rest === 0 ? "" : `${rest}${smallUnit}`}`;
}
