import { aggregateText } from "./aggregate-text.js";
import type { FieldError, FoundErrors } from "./field-error.js";
import { printingListsOnce } from "./printed-value.js";

/** Several errors in one text, as Kubernetes prints them; `rest` comes last. */
export function aggregate(errors: readonly FieldError[], ...rest: readonly string[]): string {
  return aggregateText([...errors.map(({ field, body }) => `${field}: ${body}`), ...rest]);
}

/** The most errors that an answer lists. */
const errorsShownMax = 1000;

export interface ShownErrors {
  readonly errors: readonly FieldError[];
  /** As Kubernetes prints them, and how many are left out. */
  readonly text: string;
}

/** The first errors, at least one: at most 1,000, and of so many characters. */
export function shownErrors({ errors, isCut }: FoundErrors, charactersMax: number): ShownErrors {
  const count = printingListsOnce(() => countWithin(errors, charactersMax));
  const shown = errors.slice(0, count);
  const others = errors.length - count;
  if (others === 0) return { errors: shown, text: aggregate(shown) };
  return { errors: shown, text: aggregate(shown, `and ${isCut ? "more than " : ""}${others} more errors`) };
}

function countWithin(errors: readonly FieldError[], charactersMax: number): number {
  let characters = 0;
  let count = 0;
  for (const { field, body } of errors) {
    characters += field.length + body.length;
    if (count > 0 && (count >= errorsShownMax || characters > charactersMax)) break;
    count++;
  }
  return count;
}
