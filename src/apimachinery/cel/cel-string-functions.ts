import { type CelBudget, CelRuntimeError } from "./cel-error.js";
import { type CelFunction, define } from "./cel-function.js";
import {
  indexIn,
  join,
  lastIndexIn,
  lowerA,
  points,
  replace,
  shiftLetters,
  slice,
  splitText,
  trimmed,
  upperA,
  within,
} from "./cel-text.js";
import { formatText, quotedText } from "./cel-text-format.js";
import { CelList } from "./cel-value.js";
import { joining, quoting, replacing, searchText, split, transform, walk } from "./function-rules.js";

/** Source: cel-go, extension "strings". Positions count Unicode code points. */
export const strings = [
  define(
    "string.charAt(int): string",
    ([text, index], budget) => {
      const all = points(text, budget);
      return all[within(index, all.length)] ?? "";
    },
    walk,
  ),
  define("string.lowerAscii(): string", ([text]) => shiftLetters(text, upperA, lowerA), transform),
  define("string.upperAscii(): string", ([text]) => shiftLetters(text, lowerA, upperA), transform),
  define("string.trim(): string", ([text]) => trimmed(text), transform),
  define(
    "string.substring(int): string",
    ([text, from], budget) => slice(text, from, undefined, budget),
    transform,
  ),
  define(
    "string.substring(int, int): string",
    ([text, from, to], budget) => slice(text, from, to, budget),
    transform,
  ),
  define(
    "string.replace(string, string): string",
    ([text, from, to], budget) => replace(text, from, to, -1n, budget),
    replacing,
  ),
  define(
    "string.replace(string, string, int): string",
    ([text, from, to, limit], budget) => replace(text, from, to, limit, budget),
    replacing,
  ),
  define(
    "string.split(string): list(string)",
    ([text, by], budget) => CelList.of(splitText(text, by, -1n, budget)),
    split,
  ),
  define(
    "string.split(string, int): list(string)",
    ([text, by, limit], budget) => CelList.of(splitText(text, by, limit, budget)),
    split,
  ),
  define("list(string).join(): string", ([list], budget) => join(list, "", budget), joining),
  define("list(string).join(string): string", ([list, by], budget) => join(list, by, budget), joining),
];

/** What version 2 of the extension adds. */
export const newerStrings = [
  define(
    "string.format(list(dyn)): string",
    ([template, values], budget) => formatText(template, values, budget),
    walk,
  ),
  define("strings::quote(string): string", ([text], budget) => quotedText(text, budget), quoting),
];

/** `isLenient`: an offset beyond the end of the text finds nothing; otherwise it is an error. */
export function indexFunctions(isLenient: boolean): readonly CelFunction[] {
  type Find = (text: string, part: string, from: bigint, budget: CelBudget) => bigint;
  const from =
    (find: Find): Find =>
    (text, part, start, budget) => {
      if (part === "") return start;
      if (start < BigInt(points(text, budget).length)) return find(text, part, start, budget);
      if (isLenient) return -1n;
      throw new CelRuntimeError(`index out of range: ${start}`);
    };
  const first = from(indexIn);
  const last = from(lastIndexIn);
  return [
    define(
      "string.indexOf(string): int",
      ([text, part], budget) => first(text, part, 0n, budget),
      searchText,
    ),
    define(
      "string.indexOf(string, int): int",
      ([text, part, start], budget) => first(text, part, start, budget),
      searchText,
    ),
    define(
      "string.lastIndexOf(string): int",
      ([text, part], budget) => lastIndexIn(text, part, undefined, budget),
      searchText,
    ),
    define(
      "string.lastIndexOf(string, int): int",
      ([text, part, start], budget) => last(text, part, start, budget),
      searchText,
    ),
  ];
}
