import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import { isDns1123Label } from "../../../apimachinery/validation/dns-names.js";
import type { ApiContext } from "../../definition/api-context.js";

/** For objects whose name becomes part of a host name, which should have no dots. `use` says which names these are. */
export function hostnameWarnings(
  { level }: ApiContext,
  { metadata }: ApiObject,
  use = "Pod names and hostnames",
): string[] {
  if (!isAtLeast(level, "1.27")) return [];
  const problems = isDns1123Label(metadata.name ?? "");
  if (problems.length === 0) return [];
  const advice = "which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: this is used in ${use}, ${advice}: [${problems.join(" ")}]`];
}
