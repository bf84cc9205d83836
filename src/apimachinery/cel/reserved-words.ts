import type { ObjectType } from "./cel-type.js";

/** Reserved words that the grammar itself does not use. Source: cel-spec, "Syntax". */
export const unusedWords: readonly string[] =
  "as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  );

/**
 * Words that cannot name a variable. A field of such a name is written between underscores: `self.__namespace__`. Source: Kubernetes
 * documentation, "Validation rules".
 */
export const reservedWords: ReadonlySet<string> = new Set(["true", "false", "null", "in", ...unusedWords]);

export function escapedWord(word: string): string {
  return `__${word}__`;
}

/** The name under which a type declares a field that an expression selects, which may be a reserved word without its underscores. */
export function declaredName({ fields }: ObjectType, name: string): string {
  return fields.has(name) || !reservedWords.has(name) ? name : escapedWord(name);
}
