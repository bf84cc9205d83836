import { Quantity } from "../../../apimachinery/values/quantity.js";

/** Quantities by resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

export const one = Quantity.fromInt(1);

/** Reads the amounts of all resources, or only of those in `names`. */
export function readAmounts(
  list: Readonly<Record<string, string>> | undefined,
  names: readonly string[] = Object.keys(list ?? {}),
): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const name of names) {
    const text = list?.[name];
    if (text !== undefined) amounts.set(name, Quantity.parse(text));
  }
  return amounts;
}

export function writeAmounts(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]));
}

/** Adds `more` to `total`, in place. */
export function addTo(total: Map<string, Quantity>, more: Amounts): void {
  for (const [name, amount] of more) total.set(name, total.get(name)?.add(amount) ?? amount);
}

/** As in messages: `cpu=1,memory=1Gi`, sorted by name. */
export function printAmounts(amounts: Amounts): string {
  return [...amounts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(",");
}
