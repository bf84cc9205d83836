import fc from "fast-check";
import { expect, test } from "vitest";
import { WireReader } from "./wire-reader.js";
import { WireWriter } from "./wire-writer.js";

function messageOf(write: (writer: WireWriter) => void): Buffer {
  const writer = new WireWriter(4);
  write(writer);
  const frame = writer.frame();
  expect(frame[0]).toBe(0);
  expect(frame.readUInt32BE(1)).toBe(frame.length - 5);
  return frame.subarray(5);
}

test("a message has the bytes that protobuf's encoding guide gives", () => {
  expect(messageOf((writer) => writer.integer(1, 150)).toString("hex")).toBe("089601");
  expect(messageOf((writer) => writer.string(2, "testing")).toString("hex")).toBe("120774657374696e67");
  const nested = messageOf((writer) => {
    writer.integer(1, 150);
    writer.nested(3, 0);
  });
  expect(nested.toString("hex")).toBe("1a03089601");
});

test("zero, empty and false are left out, an empty nested message is not", () => {
  const message = messageOf((writer) => {
    writer.nested(6, writer.length);
    writer.boolean(5, false);
    writer.bytes(4, new Uint8Array());
    writer.string(3, "");
    writer.integer(2, 0n);
    writer.integer(1, 0);
  });
  expect(message.toString("hex")).toBe("3200");
});

test("every value comes back, through fields that the reader does not know", () => {
  const field = fc.integer({ min: 1, max: 2 ** 28 });
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(
      field,
      fc.maxSafeNat(),
      int64,
      fc.string({ unit: "binary" }),
      fc.uint8Array(),
      (at, number, big, text, bytes) => {
        const message = messageOf((writer) => {
          writer.integer(5, 1);
          writer.string(4, text);
          writer.bytes(3, bytes);
          writer.integer(2, big);
          writer.integer(1, number);
          writer.nested(at, 0);
          writer.integer(at + 1, big);
          writer.bytes(at + 2, bytes);
        });
        const outer = new WireReader(message);
        const seen: Record<number, unknown> = {};
        while (outer.next()) {
          if (outer.field !== at) {
            outer.skip();
            continue;
          }
          const inner = outer.message();
          while (inner.next()) {
            if (inner.field === 1) seen[1] = inner.integer();
            else if (inner.field === 2) seen[2] = inner.bigInteger();
            else if (inner.field === 3) seen[3] = Uint8Array.from(inner.bytes());
            else if (inner.field === 4) seen[4] = inner.string();
            else seen[inner.field] = inner.boolean();
          }
        }
        expect(seen).toEqual({
          ...(number !== 0 && { 1: number }),
          ...(big !== 0n && { 2: big }),
          ...(bytes.length > 0 && { 3: bytes }),
          ...(text !== "" && { 4: text }),
          5: true,
        });
      },
    ),
  );
});

test("minus one, which etcd sends for a lease that has gone, reads as such", () => {
  const message = messageOf((writer) => writer.integer(1, -1n));
  const reader = new WireReader(message);
  reader.next();
  expect(reader.integer()).toBe(-1);
  expect(reader.next()).toBe(false);
});

test("what is cut off or of another type is an error, never a wrong value", () => {
  const whole = messageOf((writer) => {
    writer.string(2, "some text");
    writer.integer(1, 300);
  });
  const read = (bytes: Buffer): unknown[] => {
    const reader = new WireReader(bytes);
    const values: unknown[] = [];
    while (reader.next()) values.push(reader.field === 1 ? reader.integer() : reader.string());
    return values;
  };
  expect(read(whole)).toEqual([300, "some text"]);
  for (let length = 1; length < whole.length; length++) {
    // After the first field the message could well end.
    if (length === 3) continue;
    expect(() => read(whole.subarray(0, length))).toThrow(RangeError);
  }
  const reader = new WireReader(whole);
  reader.next();
  expect(() => reader.string()).toThrow(RangeError);
  expect(() => read(Buffer.from("0b", "hex"))).toThrow(RangeError);
});
