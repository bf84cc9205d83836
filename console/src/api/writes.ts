import { applyConfiguration, fieldManager, keptFields } from "./apply-configuration.ts";
import { pathOf, type Resource } from "./discovery.ts";
import { type Json, type JsonObject, textAt } from "./json.ts";
import { ApiError, send, warningsOf } from "./request.ts";
import type { Schema } from "./schema.ts";

export interface Edit {
  readonly resource: Resource;
  /** As the server last had it; undefined for a new object. */
  readonly base: JsonObject | undefined;
  readonly edited: JsonObject;
  readonly schema: Schema | undefined;
  /** Takes fields over from the managers that have them. */
  readonly takesOver: boolean;
  /** Writes the object as a whole, so that fields of other managers can be removed. */
  readonly replaces: boolean;
}

export type Outcome =
  | {
      readonly kind: "done";
      /** As it is then. */
      readonly object: JsonObject;
      readonly warnings: readonly string[];
    }
  /** Other managers have fields that the edit changes. */
  | { readonly kind: "conflicts"; readonly managers: ReadonlyMap<string, readonly string[]> }
  | { readonly kind: "refused"; readonly error: ApiError };

/** How objects are written, and read with their large numbers. */
export interface YamlForms {
  readonly printYaml: (value: Json) => string;
  readonly parseExactly: (text: string) => JsonObject;
}

/** Writes an edit, or tries it. */
export async function write(edit: Edit, isTried: boolean, yaml: YamlForms): Promise<Outcome> {
  const { resource, base, edited, schema } = edit;
  const namespace = resource.isNamespaced ? textAt(edited, "metadata", "namespace") : "";
  const path = pathOf(resource, { namespace, name: textAt(edited, "metadata", "name") });
  const query = new URLSearchParams({ fieldManager, fieldValidation: "Strict" });
  if (isTried) query.set("dryRun", "All");
  if (edit.takesOver && !edit.replaces) query.set("force", "true");
  const body =
    edit.replaces && base !== undefined
      ? replacement(base, edited)
      : applyConfiguration(base ?? {}, edited, schema);
  try {
    const answer = await send(`${path}?${query}`, {
      method: edit.replaces ? "PUT" : "PATCH",
      contentType: edit.replaces ? "application/yaml" : "application/apply-patch+yaml",
      body: yaml.printYaml(body),
    });
    const object = yaml.parseExactly(await answer.text());
    return { kind: "done", object, warnings: warningsOf(answer) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const managers = conflictsOf(error);
    return managers.size > 0 ? { kind: "conflicts", managers } : { kind: "refused", error };
  }
}

/** Fields that the edit removes and an apply leaves. */
export function keptBy(edit: Edit, result: Json): readonly string[] {
  return edit.base === undefined ? [] : keptFields(edit.base, edit.edited, result, edit.schema);
}

/** The version makes the server refuse it when somebody else was faster. */
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
