import { expect, test } from "vitest";
import { bytesFromJson, mismatch } from "./json-special.js";

test.each([
  ["", ""],
  ["QUJD", "QUJD"],
  ["QQ==", "QQ=="],
  ["QUI=", "QUI="],
  // Bits beyond the data.
  ["QR==", "QQ=="],
  ["QUJDQUJ=", "QUJDQUI="],
])("base64 %j is printed as %j", (text, printed) => expect(bytesFromJson(text)).toBe(printed));

test.each(["Q", "QQ", "QQ=", "====", "QQ==QUJD", "QU-_", "QU-=", "QUJD\n", "QUJDQ R=", "é", 1, null])(
  "%j is no base64",
  (value) => {
    let thrown: unknown;
    try {
      bytesFromJson(value);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBe(mismatch);
  },
);
