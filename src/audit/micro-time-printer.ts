import { formatTime } from "../apimachinery/values/time.js";

/** The fractions of a second, by milliseconds. */
const fractions = Array.from({ length: 1000 }, (_, ms) => `.${String(ms).padStart(3, "0")}000Z`);

/** Prints times as `2006-01-02T15:04:05.678000Z`. Those of one second share its text: printing a date takes a microsecond. */
export class MicroTimePrinter {
  #second = Number.NaN;
  #text = "";

  /** Milliseconds since 1970. */
  print(timeMs: number): string {
    const second = Math.floor(timeMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = formatTime(second).slice(0, -1);
    }
    return `${this.#text}${fractions[timeMs - second * 1000] ?? ""}`;
  }
}
