import { at, type Json, listAt, textAt } from "./json.ts";
import { getObject, send } from "./request.ts";

/** One version of an object that the server's store still has. */
export interface ObjectVersion {
  readonly version: string;
  readonly type: string;
  /** Empty if the object does not say. */
  readonly managers: readonly string[];
  /** Empty if the object does not say. */
  readonly time: string;
  /** What differs from the previous version. */
  readonly changes: readonly FieldChange[];
}

export interface FieldChange {
  readonly path: string;
  /** Undefined when the field did not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The versions of the object at a path of the API, the newest first. */
export async function historyOf(path: string, signal: AbortSignal): Promise<readonly ObjectVersion[]> {
  const list = await getObject(`/lab/history?${new URLSearchParams({ path })}`, { signal });
  return listAt(list, "items").map(readVersion).reverse();
}

/** Writes an earlier version again. */
export async function undoTo(path: string, version: string): Promise<void> {
  await send(`/lab/history?${new URLSearchParams({ path, undo: version })}`, { method: "POST" });
}

function readVersion(item: Json): ObjectVersion {
  const type = textAt(item, "type");
  return {
    version: textAt(item, "version"),
    type,
    managers: listAt(item, "managers").map(String),
    time: textAt(item, "time"),
    // A version that begins or ends the object differs as a whole.
    changes: type === "updated" ? listAt(item, "changes").map(readChange) : [],
  };
}

function readChange(change: Json): FieldChange {
  return {
    path: textAt(change, "path"),
    before: shortText(at(change, "before")),
    after: shortText(at(change, "after")),
  };
}

/** A value may be the text of a whole file. */
const charactersMax = 300;

function shortText(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}
