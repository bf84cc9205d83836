import {
  type ApiLevel,
  apiLevels,
  isApiLevel,
  isAtLeast,
  minorOf,
} from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import { formatCommaSeparated, parseCommaSeparated } from "./comma-separated.js";
import type { ParseResult } from "./option.js";
import type { ValueType } from "./value-types.js";

/** The level that a server behaves as, if that is not its own. */
export interface EmulatedVersion {
  /** `1.33`, as given. */
  readonly version: string;
  /** The server's own level, once the options are resolved: `apiLevel` is the emulated one then. */
  readonly own?: ApiLevel | undefined;
}

/** `1.33`, or with the component's name in the profile: `COMPONENT=1.33`. */
export const emulatedVersion: ValueType<EmulatedVersion | undefined> = {
  typeName: "strings",
  parse: (given, previous, naming) => {
    const items = parseCommaSeparated(given);
    if ("problem" in items) return items;
    let parsed = previous;
    for (const item of items.value) {
      const found = versionIn(item, naming);
      if ("problem" in found) return found;
      const { value: version } = found;
      if (parsed !== undefined) {
        const component = componentOf(naming);
        return {
          problem: `duplicate version flag, ${component}=${parsed.version} and ${component}=${version}`,
        };
      }
      parsed = { version };
    }
    return { value: parsed };
  },
  format: (value) => (value === undefined ? "" : formatCommaSeparated([value.version])),
};

function versionIn(item: string, naming: Naming): ParseResult<string> {
  const [component, version] = item.includes("=") ? split(item) : [componentOf(naming), item.trim()];
  const [, minor, patch = "0"] = /^1\.(\d+)(?:\.(\d+))?$/.exec(version) ?? [];
  if (minor === undefined) return { problem: `could not parse ${JSON.stringify(version)} as version` };
  if (patch !== "0") return { problem: `patch version not allowed, got: ${component}=${version}` };
  if (component !== componentOf(naming)) return { problem: `component not registered: ${component}` };
  return { value: `1.${Number(minor)}` };
}

function split(item: string): readonly [string, string] {
  const at = item.indexOf("=");
  return [item.slice(0, at).trim(), item.slice(at + 1).trim()];
}

/** The first word of the command. */
function componentOf({ commandName }: Naming): string {
  return commandName.slice(0, commandName.indexOf("-"));
}

/** The level that a server of level `own` behaves as. Source: component-base `compatibility/version.go`. */
export function emulatedLevel({ version }: EmulatedVersion, own: ApiLevel): ParseResult<ApiLevel> {
  const floor = lowestEmulated(own);
  if (isApiLevel(version) && isAtLeast(version, floor) && isAtLeast(own, version)) return { value: version };
  return { problem: `emulation version ${version} is not between [${floor}, ${own}.0]` };
}

/**
 * The level of the oldest servers that may share the cluster; `problem` when `version` is not possible for a server of `own` that behaves
 * as `emulated`.
 */
export function compatibleLevel(
  { version }: EmulatedVersion,
  own: ApiLevel,
  emulated: ApiLevel,
): ParseResult<ApiLevel> {
  const floor = lowestCompatible(own);
  if (isApiLevel(version) && isAtLeast(version, floor) && isAtLeast(emulated, version))
    return { value: version };
  return { problem: `minCompatibilityVersion version ${version} is not between [${floor}, ${emulated}]` };
}

/** The same levels as may be emulated. */
export const lowestCompatible = (own: ApiLevel): ApiLevel => lowestEmulated(own);

/** One level back for 1.31 and 1.32, then up to three. Before 1.30 there was no emulation. */
function lowestEmulated(own: ApiLevel): ApiLevel {
  const back = isAtLeast(own, "1.33") ? 3 : 1;
  const oldest = isAtLeast(own, "1.33") ? "1.31" : "1.30";
  const minor = Math.max(minorOf(own) - back, minorOf(oldest));
  return apiLevels.find((level) => minorOf(level) === minor) ?? own;
}
