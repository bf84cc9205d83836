import { formatTime, parseTime } from "../../apimachinery/values/time.js";

/** `2006-01-02T15:04:05Z` */
export function timeText(ms: number): string {
  return formatTime(Math.floor(ms / 1000));
}

/** Milliseconds since the epoch; undefined for no time. */
export function timeMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTime(text).seconds * 1000;
}
