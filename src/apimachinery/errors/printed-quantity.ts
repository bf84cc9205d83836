import { Quantity } from "../values/quantity.js";
import { parseSmallQuantity } from "../values/quantity-text.js";
import { printPointer, printStruct } from "./printed-structs.js";
import { PrintedValue } from "./printed-value.js";

/**
 * A quantity in Go's notation, as Kubernetes prints it inside a structure: with its text only when that is canonical. In JSON, its canonical text.
 * Throws `QuantityError`.
 */
export function printQuantity(text: string): PrintedValue {
  const small = parseSmallQuantity(text);
  const quantity = Quantity.parse(text);
  const inGo = printStruct("resource.Quantity", {
    i: printStruct("resource.int64Amount", {
      value: small?.amount ?? 0,
      scale: small?.exponent ?? 0,
    }),
    d: printStruct("resource.infDecAmount", {
      Dec: printPointer("inf.Dec", small === undefined ? text : undefined),
    }),
    s: small?.text ?? "",
    Format: quantity.format,
  });
  return new PrintedValue(
    () => inGo.text,
    () => JSON.stringify(quantity.toString()),
  );
}
