import type { FileLevel } from "../../telemetry/log-levels.js";
import { formatCommaSeparated, parseCommaSeparated } from "./comma-separated.js";
import type { ParseResult } from "./option.js";
import type { ValueType } from "./value-types.js";

export type StringMap = ReadonlyMap<string, string>;

/**
 * `key=value,key=value`; with a single "=" the commas belong to key and value, as in `metric,label=a,b`. Source: pflag
 * `stringToString`.
 */
export const stringToString: ValueType<StringMap> = {
  typeName: "stringToString",
  parse: (given, previous) => {
    const several = given.split("=").length > 2;
    const pairs = several ? parseCommaSeparated(given) : { value: [given.replace(/^"+|"+$/g, "")] };
    return "problem" in pairs ? pairs : addPairs(pairs.value, previous);
  },
  format: (map) => `[${formatCommaSeparated([...map].map(([key, value]) => `${key}=${value}`))}]`,
};

/** One `key=value` per occurrence, including commas. */
export const keyValue: ValueType<StringMap> = {
  typeName: "key=value",
  parse: (given, previous) => (given === "" ? { value: new Map(previous) } : addPairs([given], previous)),
  format: (map) => [...map].map(([key, value]) => `${key}=${value}`).join(","),
};

/** `key=value,key`: a key alone has the empty value. Source: component-base `ConfigurationMap`. */
export const configurationMap: ValueType<StringMap> = {
  typeName: "mapStringString",
  parse: (given, previous) => {
    const map = new Map(previous);
    for (const pair of given.split(",")) {
      if (pair === "") continue;
      const equals = pair.indexOf("=");
      const key = equals < 0 ? pair : pair.slice(0, equals);
      map.set(key.trim(), equals < 0 ? "" : pair.slice(equals + 1).trim());
    }
    return { value: map };
  },
  format: (map) => [...map].map(([key, value]) => `${key}=${value}`).join(","),
};

function addPairs(pairs: readonly string[], previous: StringMap | undefined): ParseResult<StringMap> {
  const map = new Map(previous);
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    if (equals < 0) return { problem: `${JSON.stringify(pair)} must be formatted as key=value` };
    map.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
  }
  return { value: map };
}

/** `pattern=N,...`; a later occurrence replaces an earlier one. Source: klog `-vmodule`. */
export const fileVerbosities: ValueType<readonly FileLevel[]> = {
  typeName: "pattern=N,...",
  parse: (given) => {
    const levels: FileLevel[] = [];
    for (const item of given.split(",")) {
      if (item === "") continue;
      const match = /^([^=]+)=(-?\d+)$/.exec(item);
      if (!match)
        return { problem: `expected a comma-separated list of pattern=N, got ${JSON.stringify(item)}` };
      const level = Number(match[2]);
      if (level < 0) return { problem: `negative level in ${JSON.stringify(item)}` };
      if (level > 0) levels.push({ pattern: match[1] ?? "", level });
    }
    return { value: levels };
  },
  format: (levels) => levels.map(({ pattern, level }) => `${pattern}=${level}`).join(","),
};
