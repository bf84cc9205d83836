import { durationMs } from "../machinery/settings.js";
import { timeText } from "../machinery/times.js";

const minuteMs = 60_000;
/** How many days to search before a schedule counts as never due. */
const daysMax = 5 * 366;

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;
const names: readonly (readonly string[])[] = [
  [],
  [],
  [],
  ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
];
const descriptors: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Tells when a schedule is due; its text has been validated. */
export class CronSchedule {
  readonly #everyMs: number | undefined;
  readonly #fields: readonly ReadonlySet<number>[];
  readonly #anyDay: boolean;
  readonly #anyWeekday: boolean;
  readonly #local: (ms: number) => Local;

  constructor(text: string, timeZone?: string) {
    const zoned = /^(?:CRON_)?TZ=([^ ]*)\s+(.*)$/.exec(text);
    const [zone, schedule] = zoned === null ? [timeZone, text.trim()] : [zoned[1], (zoned[2] ?? "").trim()];
    const every = /^@every (.+)$/.exec(schedule)?.[1];
    this.#everyMs = every === undefined ? undefined : Math.max(1000, durationMs(every) ?? 1000);
    const parts = (descriptors[schedule] ?? schedule).split(/\s+/);
    this.#fields = bounds.map(([min, max], index) =>
      fieldOf(parts[index] ?? "*", min, max, names[index] ?? []),
    );
    this.#anyDay = /^[*?]/.test(parts[2] ?? "*");
    this.#anyWeekday = /^[*?]/.test(parts[4] ?? "*");
    this.#local = localTime(zone === undefined || zone === "" || zone === "Local" ? "UTC" : zone);
  }

  /** The first time after `after`; undefined if there is none. */
  next(after: number): number | undefined {
    if (this.#everyMs !== undefined) return Math.floor(after / 1000) * 1000 + this.#everyMs;
    let at = (Math.floor(after / minuteMs) + 1) * minuteMs;
    for (let days = 0; days < daysMax; ) {
      const local = this.#local(at);
      if (!this.#isDay(local)) {
        // Moves to the beginning of the next day, by the local clock.
        at += ((23 - local.hour) * 60 + (60 - local.minute)) * minuteMs;
        days++;
      } else if (!this.#has(1, local.hour)) at += (60 - local.minute) * minuteMs;
      else if (!this.#has(0, local.minute)) at += minuteMs;
      else return at;
    }
    return undefined;
  }

  #isDay({ day, month, weekday }: Local): boolean {
    if (!this.#has(3, month)) return false;
    const [isDay, isWeekday] = [this.#has(2, day), this.#has(4, weekday)];
    // If both are given, either is enough.
    return this.#anyDay || this.#anyWeekday ? isDay && isWeekday : isDay || isWeekday;
  }

  #has(field: number, value: number): boolean {
    return this.#fields[field]?.has(value) ?? false;
  }
}

/** A time as the clocks of a zone show it: `2006-01-02T15:04:05+09:00`. */
export function zonedTimeText(ms: number, timeZone = "UTC"): string {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = "00", minutes = "00"] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * minuteMs * (sign === "-" ? -1 : 1);
  if (offsetMs === 0) return timeText(ms);
  return timeText(ms + offsetMs).replace("Z", `${sign}${hours}:${minutes}`);
}

interface Local {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

function localTime(timeZone: string): (ms: number) => Local {
  if (timeZone === "UTC") {
    return (ms) => {
      const date = new Date(ms);
      return {
        minute: date.getUTCMinutes(),
        hour: date.getUTCHours(),
        day: date.getUTCDate(),
        month: date.getUTCMonth() + 1,
        weekday: date.getUTCDay(),
      };
    };
  }
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const weekday = new Date(Date.UTC(of("year"), of("month") - 1, of("day"))).getUTCDay();
    return { minute: of("minute"), hour: of("hour"), day: of("day"), month: of("month"), weekday };
  };
}

/** The values of a field such as `1-5/2,7`. */
function fieldOf(text: string, min: number, max: number, words: readonly string[]): ReadonlySet<number> {
  const values = new Set<number>();
  const number = (part: string): number => {
    const word = words.indexOf(part.toLowerCase());
    return word < 0 ? Number(part) : word + min;
  };
  for (const range of text.split(",")) {
    const [span = "*", step] = range.split("/");
    const [low = "", high] = span.split("-");
    const isAny = low === "*" || low === "?";
    const from = isAny ? min : number(low);
    const to =
      isAny || (high === undefined && step !== undefined) ? max : high === undefined ? from : number(high);
    for (let value = from; value <= to; value += Math.max(1, Number(step ?? 1))) values.add(value);
  }
  return values;
}
