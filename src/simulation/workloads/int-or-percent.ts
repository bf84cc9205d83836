/** Resolves a number, or a percentage of `total`, which is rounded up or down. */
export function resolveIntOrPercent(
  value: number | string | undefined,
  total: number,
  rounding: "up" | "down",
): number {
  if (value === undefined) return 0;
  if (typeof value === "number") return value;
  const exact = (Number.parseInt(value, 10) * total) / 100;
  return rounding === "up" ? Math.ceil(exact) : Math.floor(exact);
}
