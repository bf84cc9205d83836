import { describe, expect, it } from "vitest";
import { printQuantity } from "./printed-quantity.js";

const nil = "d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}";
const address = "d:resource.infDecAmount{Dec:(*inf.Dec)(0xc000000000)}";

describe("printed quantities", () => {
  it.each([
    ["0", `i:resource.int64Amount{value:0, scale:0}, ${nil}, s:"0", Format:"DecimalSI"`],
    ["-1500m", `i:resource.int64Amount{value:-1500, scale:-3}, ${nil}, s:"-1500m", Format:"DecimalSI"`],
    ["1Gi", `i:resource.int64Amount{value:1073741824, scale:0}, ${nil}, s:"1Gi", Format:"BinarySI"`],
    ["8Gi", `i:resource.int64Amount{value:8589934592, scale:0}, ${nil}, s:"", Format:"BinarySI"`],
    ["1e3", `i:resource.int64Amount{value:1, scale:3}, ${nil}, s:"1e3", Format:"DecimalExponent"`],
    ["1.5Gi", `i:resource.int64Amount{value:0, scale:0}, ${address}, s:"", Format:"BinarySI"`],
  ])("print %s as the structure that holds it", (text, fields) => {
    expect(printQuantity(text).text).toBe(`resource.Quantity{${fields}}`);
  });
});
