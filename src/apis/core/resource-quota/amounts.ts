import { Quantity } from "../../../apimachinery/values/quantity.js";

/** Quantities by resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

export const one = Quantity.fromInt(1);

export function readAmounts(list: Readonly<Record<string, string>> | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, Quantity.parse(text)]));
}

export function writeAmounts(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]));
}

/** Adds `more` to `total`, in place. */
export function addTo(total: Map<string, Quantity>, more: Amounts): void {
  for (const [name, amount] of more) total.set(name, total.get(name)?.add(amount) ?? amount);
}

/** Raises `total` to at least `other`, in place. */
export function raiseTo(total: Map<string, Quantity>, other: Amounts): void {
  for (const [name, amount] of other) {
    const known = total.get(name);
    if (known === undefined || known.compare(amount) < 0) total.set(name, amount);
  }
}

/** As in messages: `cpu=1,memory=1Gi`, sorted by name. */
export function printAmounts(amounts: Amounts): string {
  return [...amounts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(",");
}
