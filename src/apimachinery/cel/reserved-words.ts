import type { ObjectField, ObjectType } from "./cel-type.js";

/**
 * Words that no variable may have as its name. A field of such a name is written between underscores: `self.__namespace__`. Source:
 * cel-spec, "Syntax", and Kubernetes documentation, "Validation rules".
 */
export const reservedWords: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

export function escapedWord(word: string): string {
  return `__${word}__`;
}

/** The name under which a type declares the field that an expression calls by a reserved word; undefined for other names. */
export function reservedFieldName({ fields }: ObjectType, word: string): string | undefined {
  if (fields.has(word) || !reservedWords.has(word)) return undefined;
  const escaped = escapedWord(word);
  return fields.has(escaped) ? escaped : undefined;
}

/** A field by its name in expressions, which may be a reserved word without its underscores. */
export function fieldNamed(type: ObjectType, name: string): ObjectField | undefined {
  return type.fields.get(name) ?? type.fields.get(reservedFieldName(type, name) ?? name);
}
