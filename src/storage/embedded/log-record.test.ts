import fc from "fast-check";
import { expect, test } from "vitest";
import { tableNames } from "./lmdb-tables.js";
import { decodeLogRecord, encodeLogRecord } from "./log-record.js";

const storeId = Buffer.from("a store!");
const bytes = fc.uint8Array({ maxLength: 30 }).map((array) => Buffer.from(array));
const write = fc.record({
  table: fc.constantFrom(...tableNames),
  key: bytes,
  value: fc.option(bytes, { nil: undefined }),
});
const integer = fc.maxSafeNat();
const record = fc.record({
  sequence: integer,
  state: fc.record({
    revision: integer,
    compactedRevision: integer,
    purgedRevision: integer,
    nextLease: integer,
  }),
  writes: fc.array(write, { maxLength: 5 }),
});

test("a record comes back as it was written, wherever it stands", () => {
  fc.assert(
    fc.property(record, bytes, bytes, (aRecord, before, after) => {
      const encoded = encodeLogRecord(storeId, aRecord);
      const log = Buffer.concat([before, encoded, after]);
      const end = before.length + encoded.length;
      expect(decodeLogRecord(storeId, log, before.length)).toEqual({ record: aRecord, end });
    }),
  );
});

test("a record that is cut, changed or from another store is not valid", () => {
  fc.assert(
    fc.property(record, fc.nat(), fc.integer({ min: 1, max: 255 }), (aRecord, place, change) => {
      const encoded = encodeLogRecord(storeId, aRecord);
      expect(decodeLogRecord(Buffer.from("another!"), encoded, 0)).toBeUndefined();
      const at = place % encoded.length;
      expect(decodeLogRecord(storeId, encoded.subarray(0, at), 0)).toBeUndefined();
      const changed = Buffer.from(encoded);
      changed.writeUInt8(changed.readUInt8(at) ^ change, at);
      expect(decodeLogRecord(storeId, changed, 0)).toBeUndefined();
    }),
  );
});
