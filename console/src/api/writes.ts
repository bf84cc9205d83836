import { applyConfiguration, fieldManager, keptFields } from "./apply-configuration.ts";
import { pathOf, type Resource } from "./discovery.ts";
import { type Json, type JsonObject, objectAt, printJson, textAt } from "./json.ts";
import { ApiError, send, warningsOf } from "./request.ts";
import type { Schema } from "./schema.ts";

export interface Edit {
  readonly resource: Resource;
  /** The object that the server last returned; undefined for a new one. */
  readonly base: JsonObject | undefined;
  readonly edited: JsonObject;
  readonly schema: Schema | undefined;
  /** Takes fields over from their managers (a forced apply). */
  readonly takesOver: boolean;
  /** Writes the whole object, so that fields of other managers can be removed. */
  readonly replaces: boolean;
}

export type Outcome =
  | {
      readonly kind: "done";
      /** As it is then. */
      readonly object: JsonObject;
      readonly warnings: readonly string[];
    }
  /** Other managers own fields that the edit changes. */
  | { readonly kind: "conflicts"; readonly managers: ReadonlyMap<string, readonly string[]> }
  | { readonly kind: "refused"; readonly error: ApiError };

/** Writes an edit, or dry-runs it. `parse` reads a response without rounding large numbers. */
export async function write(
  edit: Edit,
  isTried: boolean,
  parse: (text: string) => JsonObject,
): Promise<Outcome> {
  const { resource, base, edited, schema } = edit;
  // An object stays where it is: the server refuses an edit of its name or namespace.
  const metadata = objectAt(base ?? edited, "metadata");
  const name = textAt(metadata, "name");
  const namespace = resource.isNamespaced ? textAt(metadata, "namespace") || "default" : "";
  if (name === "") return refused(422, "metadata.name: Required value");
  const query = new URLSearchParams({ fieldManager, fieldValidation: "Strict" });
  if (isTried) query.set("dryRun", "All");
  if (edit.takesOver && !edit.replaces) query.set("force", "true");
  const body =
    edit.replaces && base !== undefined
      ? replacement(base, edited)
      : applyConfiguration(base ?? {}, edited, schema);
  try {
    const answer = await send(`${pathOf(resource, { namespace, name })}?${query}`, {
      method: edit.replaces ? "PUT" : "PATCH",
      contentType: edit.replaces ? "application/json" : "application/apply-patch+yaml",
      body: printJson(body),
    });
    // Apply would change an existing object, but this is meant to be a new one.
    if (base === undefined && answer.status !== 201)
      return refused(409, `${resource.plural} "${name}" already exists`);
    const object = parse(await answer.text());
    return { kind: "done", object, warnings: warningsOf(answer) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const managers = conflictsOf(error);
    return managers.size > 0 ? { kind: "conflicts", managers } : { kind: "refused", error };
  }
}

function refused(code: number, message: string): Outcome {
  return { kind: "refused", error: new ApiError(code, { message }, "") };
}

/** Fields that the edit removes but an apply would leave. */
export function keptBy(edit: Edit, result: Json): readonly string[] {
  return edit.base === undefined ? [] : keptFields(edit.base, edit.edited, result, edit.schema);
}

/** Names the version that was read, so that the server refuses the write if the object has changed since. */
function replacement(base: JsonObject, edited: JsonObject): JsonObject {
  const metadata = edited.metadata as JsonObject;
  return {
    ...edited,
    metadata: { ...metadata, resourceVersion: textAt(base, "metadata", "resourceVersion") },
  };
}

/** Manager and fields, from `conflict with "kubectl" using v1`. */
function conflictsOf(error: ApiError): ReadonlyMap<string, readonly string[]> {
  const managers = new Map<string, string[]>();
  for (const { type, field, message } of error.causes) {
    if (type !== "FieldManagerConflict") continue;
    const manager = /conflict with "(.*?)"/.exec(message)?.[1] ?? message;
    managers.set(manager, [...(managers.get(manager) ?? []), field]);
  }
  return managers;
}
