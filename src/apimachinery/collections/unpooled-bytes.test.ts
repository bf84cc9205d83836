import { expect, test } from "vitest";
import { unpooledBytes } from "./unpooled-bytes.js";

test("the bytes of a text have a buffer of their own", () => {
  for (const text of ["", "a", "ü€😀", "x".repeat(10_000)]) {
    const bytes = unpooledBytes(text);
    expect(bytes.toString("utf8")).toBe(text);
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  }
});
