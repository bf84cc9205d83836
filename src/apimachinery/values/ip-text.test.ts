import { expect, test } from "vitest";
import { ipFromBigInt, ipText } from "./ip-text.js";

test.each([
  [0n, "::"],
  [1n, "::1"],
  [0x20010db8_00000000_00000000_00000001n, "2001:db8::1"],
  [0x20010db8_00000001_00010001_00010001n, "2001:db8:0:1:1:1:1:1"],
  [0x00010000_00000000_00020000_00000000n, "1::2:0:0:0"],
  [0x00010002_00030004_00050006_00070000n, "1:2:3:4:5:6:7:0"],
])("%i is printed as %s", (value, text) => {
  expect(ipText(ipFromBigInt(value, 16))).toBe(text);
});
