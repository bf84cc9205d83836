import { expect, test } from "vitest";
import { GatheredBytes } from "./gathered-bytes.js";

function gathered(lengths: readonly number[]): { readonly bytes: Buffer; readonly expected: Buffer } {
  const gathering = new GatheredBytes();
  const pieces = lengths.map((length, index) => Buffer.alloc(length, index % 251));
  for (const piece of pieces) {
    gathering.add(piece);
    // The buffer that was read is used again.
    if (piece.length < 4096 && gathering.length > piece.length) piece.fill(255);
  }
  expect(gathering.length).toBe(lengths.reduce((sum, length) => sum + length, 0));
  return {
    bytes: gathering.bytes(),
    expected: Buffer.concat(lengths.map((length, index) => Buffer.alloc(length, index % 251))),
  };
}

test.each([
  ["none", []],
  ["one", [5]],
  ["empty ones", [0, 0, 3, 0]],
  ["large ones", [5000, 4096, 100_000]],
  ["small ones", Array.from({ length: 50_000 }, () => 1)],
  ["both by turns", Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 4096 : 3000))],
  ["a small one after each length of block", [1, 16_384, 1, 4095, 4095, 4095, 4095, 4095]],
])("pieces come back in order: %s", (_name, lengths) => {
  const { bytes, expected } = gathered(lengths);
  expect(bytes.equals(expected)).toBe(true);
});

test("a single piece is not copied", () => {
  const gathering = new GatheredBytes();
  const piece = Buffer.from("text");
  gathering.add(piece);
  expect(gathering.bytes().buffer).toBe(piece.buffer);
});

test("many small pieces are few allocations", () => {
  const gathering = new GatheredBytes();
  const read = Buffer.alloc(1);
  const before = process.memoryUsage();
  for (let i = 0; i < 3_000_000; i++) gathering.add(read);
  const after = process.memoryUsage();
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  expect(grown).toBeLessThan(100 * 1024 * 1024);
  expect(gathering.bytes().length).toBe(3_000_000);
});
