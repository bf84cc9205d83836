import { afterEach, beforeEach, describe } from "vitest";
import { describeConcurrency } from "./kv-contract-concurrency.js";
import { describeHistory } from "./kv-contract-history.js";
import { describeLeases } from "./kv-contract-leases.js";
import { describeRanges } from "./kv-contract-ranges.js";
import { describeTransactions } from "./kv-contract-transactions.js";
import { describeWatches } from "./kv-contract-watches.js";
import { KvGround, type KvSubject } from "./kv-ground.js";

/**
 * The one suite of behaviour that every engine passes: etcd v3's semantics as `storage/kv.ts` states them. `open` is called for each test;
 * it may return the same persistent store again, because every test uses its own keys. Nothing else may write to the store meanwhile,
 * because tests count revisions.
 */
export function describeKvContract(name: string, open: () => Promise<KvSubject>): void {
  describe(`${name} keeps the storage contract`, () => {
    let ground: KvGround;
    let count = 0;

    beforeEach(async () => {
      count += 1;
      ground = new KvGround(await open(), `/${name}/${count}/`);
    });

    afterEach(async () => {
      await ground.close();
    });

    const current = (): KvGround => ground;
    describeTransactions(current);
    describeRanges(current);
    describeWatches(current);
    describeHistory(current);
    describeLeases(current);
    describeConcurrency(current);
  });
}
