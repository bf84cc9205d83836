import { type ApiLevel, atLevel, hasLevel } from "../levels/api-level.js";
import type { FieldDeclaration, MessageDeclaration } from "./declaration.js";

/** The declaration at a level, without the fields that the level lacks. */
export function messageAtLevel(declaration: MessageDeclaration, level: ApiLevel): MessageDeclaration {
  const { before, ...newest } = declaration;
  const { fields, ...attributes } = atLevel(newest, before, level);
  return { ...attributes, fields: Object.fromEntries(fieldsAtLevel(fields, level)) };
}

function fieldsAtLevel(fields: MessageDeclaration["fields"], level: ApiLevel): [string, FieldDeclaration][] {
  return Object.entries(fields).flatMap(([name, field]): [string, FieldDeclaration][] =>
    hasLevel(field, level) ? [[name, fieldAtLevel(field, level)]] : [],
  );
}

/** A field's attributes at a level. */
export function fieldAtLevel(field: FieldDeclaration, level: ApiLevel): FieldDeclaration {
  if (field.before === undefined) return field;
  const { before, ...newest } = field;
  return atLevel(newest, before, level);
}
