import { expect, test } from "vitest";
import { ClientHelloReader } from "./client-hello.js";

/** A hello of this many bytes behind its header. */
function hello(length: number): Buffer {
  return Buffer.from([1, length >> 16, (length >> 8) & 255, length & 255, ...Buffer.alloc(length)]);
}

function record(fragment: Uint8Array, type = 22): Buffer {
  return Buffer.from([type, 3, 1, fragment.length >> 8, fragment.length & 255, ...fragment]);
}

/** After how many bytes, sent one by one, the hello is complete; undefined if it never is. */
function wholeAfter(bytes: Uint8Array): number | undefined {
  const reader = new ClientHelloReader();
  for (const [index, byte] of bytes.entries()) {
    reader.take(Uint8Array.of(byte));
    if (reader.isWhole) return index + 1;
  }
  return undefined;
}

test("a hello is whole with its last byte, in one record or many", () => {
  const one = record(hello(300));
  expect(wholeAfter(one)).toBe(one.length);
  const message = hello(20_000);
  const many = [0, 1, 3, 4, 5, 9000, 12_000].map((from, i, all) =>
    record(message.subarray(from, all[i + 1])),
  );
  const bytes = Buffer.concat(many);
  expect(wholeAfter(bytes)).toBe(bytes.length);
  const reader = new ClientHelloReader();
  reader.take(Buffer.concat([bytes, Buffer.from("what follows")]));
  expect(reader.isWhole).toBe(true);
});

test("half a hello is not", () => {
  expect(wholeAfter(record(hello(300)).subarray(0, -1))).toBeUndefined();
  expect(wholeAfter(record(hello(300).subarray(0, 100)))).toBeUndefined();
});

test("what is no hello is left to TLS at once", () => {
  expect(wholeAfter(Buffer.from("GET / HTTP/1.1"))).toBe(1);
  expect(wholeAfter(record(Buffer.of(2, 0, 0, 1, 0)))).toBe(6);
  expect(wholeAfter(record(Buffer.alloc(0)))).toBe(5);
  expect(wholeAfter(Buffer.from([22, 3, 1, 255, 255]))).toBe(5);
});
