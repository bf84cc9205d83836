import { Quantity } from "../../../apimachinery/values/quantity.js";

/** `{cpu: "500m", memory: "1Gi"}`. */
export type ResourceList = { [resource: string]: string };

/** The amount of a resource whose name a client chose: it is not looked up in the prototype, where `toString` would be found. */
export function amountIn(list: ResourceList | undefined, resource: string): string | undefined {
  return list !== undefined && Object.hasOwn(list, resource) ? list[resource] : undefined;
}

/** Rounds quantities up to thousandths, in place: the scheduler has no finer unit. */
export function roundResourceList(list: ResourceList | undefined): void {
  if (list === undefined) return;
  for (const resource of Object.keys(list)) {
    const text = list[resource] ?? "";
    // Quantities in other forms are whole or thousandths already.
    if (!/[nu.eE]/.test(text)) continue;
    const quantity = Quantity.parse(text);
    const rounded = quantity.roundedTo(-3);
    if (rounded !== quantity) list[resource] = rounded.toString();
  }
}
