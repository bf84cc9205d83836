import { append } from "../collections/append.js";
import type { FieldError } from "../errors/field-error.js";

/** The errors of each item, in order. */
export function errorsOfEach<T>(
  items: readonly T[] | undefined,
  errorsOf: (item: T, index: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  if (items === undefined) return errors;
  let index = 0;
  for (const item of items) append(errors, errorsOf(item, index++));
  return errors;
}
