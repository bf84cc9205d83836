import type { ParseResult } from "./option.js";
import type { ValueType } from "./value-types.js";

const names = ["INFO", "WARNING", "ERROR", "FATAL"];
export const errorSeverity = names.indexOf("ERROR");

/** The rank of a severity of the log, given by name or number. Source: klog, `severity.Set`. */
export const severity: ValueType<number> = {
  typeName: "severity",
  parse: parseSeverity,
  format: String,
};

function parseSeverity(given: string): ParseResult<number> {
  const named = names.indexOf(given.toUpperCase());
  if (named >= 0) return { value: named };
  return /^[0-3]$/.test(given)
    ? { value: Number(given) }
    : {
        problem: `invalid value ${JSON.stringify(given)}, expected ${names.join(", ")} or a number from 0 to 3`,
      };
}
