import { compareText } from "../collections/compare-text.js";
import { addToList } from "../collections/groups.js";
import { StatusError } from "../errors/status.js";
import type { Manager } from "./managers.js";
import { type PathElement, printPath } from "./path-element.js";

/** A field that another manager owns and the apply would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly path: readonly PathElement[];
}

/** Conflicts beyond this are only counted: the response would be larger than the object. */
const conflictsShownMax = 1000;

/** 409 with one cause per field. Clients match on this wording. */
export function applyConflict(conflicts: readonly Conflict[]): StatusError {
  return new StatusError({
    message: messageOf(conflicts),
    reason: "Conflict",
    details: {
      causes: conflicts.slice(0, conflictsShownMax).map(({ manager, path }) => ({
        reason: "FieldManagerConflict",
        message: `conflict with ${printManager(manager)}`,
        field: printPath(path),
      })),
    },
    code: 409,
  });
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first, second] = conflicts;
  if (first !== undefined && second === undefined) {
    return `Apply failed with 1 conflict: conflict with ${printManager(first.manager)}: ${printPath(first.path)}`;
  }
  const byManager = new Map<string, Conflict[]>();
  for (const conflict of conflicts.slice(0, conflictsShownMax)) {
    const { identity } = conflict.manager;
    addToList(byManager, identity, conflict);
  }
  const lines: string[] = [];
  for (const [, ofManager] of [...byManager].sort(([a], [b]) => compareText(a, b))) {
    for (const [index, { manager, path }] of ofManager.entries()) {
      if (index === 0) lines.push(`conflicts with ${printManager(manager)}:`);
      lines.push(`- ${printPath(path)}`);
    }
  }
  const more = conflicts.length - conflictsShownMax;
  if (more > 0) lines.push(`and ${more} more`);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function printManager({ name, operation, apiVersion, subresource }: Manager): string {
  const who =
    subresource === ""
      ? JSON.stringify(name)
      : `${JSON.stringify(name)} with subresource ${JSON.stringify(subresource)}`;
  return operation === "Update" ? `${who} using ${apiVersion}` : who;
}
