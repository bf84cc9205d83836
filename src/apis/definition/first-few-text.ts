const shownMax = 3;

/** At most three of `items`, and how many more there are; `<unset>` for none. */
export function firstFewText(items: readonly string[]): string {
  if (items.length === 0) return "<unset>";
  const shown = items.slice(0, shownMax).join(",");
  return items.length > shownMax ? `${shown} + ${items.length - shownMax} more...` : shown;
}
