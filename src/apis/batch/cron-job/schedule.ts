import { readDuration } from "../../../apimachinery/values/duration.js";
import { locationProblem } from "./time-zone.js";

/** The values of one field of a schedule. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const fields: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  {
    min: 1,
    max: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

const descriptors = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];
const everyPrefix = "@every ";
/** Kubernetes has no limit. A field may be a list of many thousand ranges. */
const lengthMax = 16 * 1024;

/**
 * The error of a schedule: minute, hour, day of the month, month and day of the week; or `@hourly` and the like, or
 * `@every 1h30m`. A time zone may precede it, `TZ=Asia/Tokyo `. Messages are those of Kubernetes' parser (robfig/cron v3
 * `ParseStandard`).
 */
export function scheduleProblem(text: string): string | undefined {
  if (text.length > lengthMax) return `schedule is longer than ${lengthMax} characters`;
  let schedule = text;
  const zone = /^(?:CRON_)?TZ=([^ ]*)/.exec(text);
  if (zone !== null) {
    const [all, name = ""] = zone;
    const problem = locationProblem(name);
    if (problem !== undefined) return `provided bad location ${name}: ${problem}`;
    schedule = text.slice(all.length).trim();
  }
  if (schedule.startsWith("@")) return descriptorProblem(schedule);

  const parts = schedule.split(/\s+/).filter((part) => part !== "");
  if (parts.length !== fields.length) {
    return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(" ")}]`;
  }
  return firstProblem(fields, (bounds, index) => fieldProblem(parts[index] ?? "", bounds));
}

function descriptorProblem(descriptor: string): string | undefined {
  if (descriptors.includes(descriptor)) return undefined;
  if (!descriptor.startsWith(everyPrefix)) return `unrecognized descriptor: ${descriptor}`;
  const read = readDuration(descriptor.slice(everyPrefix.length));
  return "problem" in read ? `failed to parse duration ${descriptor}: time: ${read.problem}` : undefined;
}

function fieldProblem(field: string, bounds: Bounds): string | undefined {
  return firstProblem(
    field.split(",").filter((range) => range !== ""),
    (range) => rangeProblem(range, bounds),
  );
}

/** `3`, `1-5`, `*`, each with or without `/2`. */
function rangeProblem(range: string, { min, max, names }: Bounds): string | undefined {
  const [lowAndHigh = "", step, ...moreSteps] = range.split("/");
  const [low = "", high, ...moreHyphens] = lowAndHigh.split("-");

  let start = min;
  let end = max;
  if (low !== "*" && low !== "?") {
    const first = numberOf(low, names);
    if (typeof first === "string") return first;
    start = first;
    if (moreHyphens.length > 0) return `too many hyphens: ${range}`;
    const last = high === undefined ? first : numberOf(high, names);
    if (typeof last === "string") return last;
    end = last;
  }

  if (moreSteps.length > 0) return `too many slashes: ${range}`;
  const every = step === undefined ? 1 : numberOf(step, []);
  if (typeof every === "string") return every;
  // `5/15` means from five on.
  if (step !== undefined && high === undefined) end = max;

  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${range}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  if (every === 0) return `step of range should be a positive number: ${range}`;
  return undefined;
}

/** A number, or an error message. Months count from 1, days of the week from 0. */
function numberOf(text: string, names: readonly string[]): number | string {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return names.length === 12 ? named + 1 : named;
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}

function firstProblem<T>(
  items: readonly T[],
  problemOf: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
