/** Several errors in one text, as Go prints an aggregate of them: a repeated one once, and brackets around more than one. */
export function aggregateText(errors: Iterable<string>): string {
  const texts = [...new Set(errors)];
  return texts.length === 1 ? texts.join() : `[${texts.join(", ")}]`;
}
