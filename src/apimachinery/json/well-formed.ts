/** Replaces each lone surrogate in `text`, which UTF-8 cannot encode, by U+FFFD. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}
