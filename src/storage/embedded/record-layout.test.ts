import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeHead,
  decodeHistory,
  decodeLease,
  decodeLeaseAttachment,
  decodePastHead,
  decodePastKey,
  decodeRevisionKey,
  decodeState,
  encodeHead,
  encodeHistory,
  encodeLease,
  encodeLeaseAttachment,
  encodePastHead,
  encodePastKey,
  encodeRevisionKey,
  encodeState,
  escapeKey,
} from "./record-layout.js";

const integer = fc.maxSafeNat();
const index = fc.nat({ max: 0xffff_ffff });
const lease = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const key = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
const place = fc.record({ modRevision: integer, index });
const head = fc.record({ modRevision: integer, index, createRevision: integer, version: integer, lease });

test("every record comes back as it was written", () => {
  fc.assert(
    fc.property(
      head,
      place,
      key,
      fc.uint8Array(),
      integer,
      lease,
      (aHead, aPlace, aKey, value, number, aLease) => {
        expect(decodeHead(encodeHead(aHead))).toEqual(aHead);
        expect(decodeRevisionKey(encodeRevisionKey(aPlace))).toEqual(aPlace);
        const past = { ...aHead, endRevision: number };
        expect(decodePastHead(encodePastHead(past))).toEqual(past);
        expect(decodePastKey(encodePastKey(aKey, number))).toEqual({ key: aKey, modRevision: number });
        for (const type of ["put", "delete"] as const) {
          const record = { ...aHead, type, key: aKey, value: Buffer.from(value), previous: aPlace };
          const { bytes, valueStart } = encodeHistory(record);
          expect(decodeHistory(aHead, bytes)).toEqual(record);
          expect(bytes.subarray(valueStart)).toEqual(record.value);
        }
        const state = { revision: number, compactedRevision: 1, purgedRevision: 2, nextLease: 3 };
        expect(decodeState(encodeState(state))).toEqual(state);
        expect(decodeLease(encodeLease({ ttlSeconds: 7, expiresAt: number }))).toEqual({
          ttlSeconds: 7,
          expiresAt: number,
        });
        const attachment = { lease: aLease, key: aKey };
        expect(decodeLeaseAttachment(encodeLeaseAttachment(aLease, aKey))).toEqual(attachment);
      },
    ),
  );
});

test("past versions are ordered by key, then by revision", () => {
  fc.assert(
    fc.property(key, key, integer, integer, (keyA, keyB, revisionA, revisionB) => {
      const order = Buffer.compare(encodePastKey(keyA, revisionA), encodePastKey(keyB, revisionB));
      const keys = Buffer.compare(Buffer.from(keyA), Buffer.from(keyB));
      expect(order).toBe(keys === 0 ? Math.sign(revisionA - revisionB) : keys);
    }),
  );
});

test("an escaped key bounds the past versions of the keys from it on", () => {
  fc.assert(
    fc.property(key, key, integer, (aKey, bound, revision) => {
      const after = Buffer.compare(encodePastKey(aKey, revision), escapeKey(bound)) >= 0;
      expect(after).toBe(Buffer.compare(Buffer.from(aKey), Buffer.from(bound)) >= 0);
    }),
  );
});

test("the layout on disk is fixed", () => {
  const aHead = { modRevision: 0x1_0000_0002, index: 3, createRevision: 4, version: 5, lease: 6n };
  expect(encodeHead(aHead).toString("hex")).toBe(
    "000000010000000200000003000000000000000400000000000000050000000000000006",
  );
  const { bytes } = encodeHistory({
    ...aHead,
    type: "delete",
    key: "k",
    value: Buffer.from("v"),
    previous: { modRevision: 7, index: 8 },
  });
  expect(bytes.toString("hex")).toBe(
    "0100000000000000040000000000000005000000000000000600000000000000070000000800000001" + "6b76",
  );
  expect(encodePastKey("a\0b", 1).toString("hex")).toBe("6100ff6200000000000000000001");
});
