const shownMax = 3;

/** The first three of `items` and the number of others; `<unset>` when empty. */
export function firstFewText(items: readonly string[]): string {
  if (items.length === 0) return "<unset>";
  const shown = items.slice(0, shownMax).join(",");
  return items.length > shownMax ? `${shown} + ${items.length - shownMax} more...` : shown;
}
