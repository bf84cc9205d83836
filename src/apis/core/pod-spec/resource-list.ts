import { Quantity } from "../../../apimachinery/quantity.js";

/** `{cpu: "500m", memory: "1Gi"}`. */
export type ResourceList = { [resource: string]: string };

/** Rounds every amount up to thousandths, in place: nothing finer can be scheduled. */
export function roundResourceList(list: ResourceList | undefined): void {
  for (const [resource, text] of Object.entries(list ?? {})) {
    // Other forms are whole numbers or thousandths.
    if (list === undefined || !/[nu.eE]/.test(text)) continue;
    const quantity = Quantity.parse(text);
    const rounded = Quantity.fromMilli(quantity.milliValue(), quantity.format);
    if (rounded.compare(quantity) !== 0) list[resource] = rounded.toString();
  }
}
