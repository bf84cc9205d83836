import { afterEach, beforeEach, describe } from "vitest";
import { describeHistoryOfObjects } from "./object-contract-history.js";
import { describeObjectReads } from "./object-contract-reads.js";
import { describeObjectWatches } from "./object-contract-watches.js";
import { describeObjectWrites } from "./object-contract-writes.js";
import { ObjectGround, type ObjectSubject } from "./object-ground.js";

/**
 * What every `ObjectStore` does, whether it reads from the store or from memory: the version semantics of Kubernetes' API Concepts. `open`
 * gives each test an empty collection.
 */
export function describeObjectStoreContract(name: string, open: () => Promise<ObjectSubject>): void {
  describe(`${name} keeps the object store's contract`, () => {
    let ground: ObjectGround;

    beforeEach(async () => {
      ground = new ObjectGround(await open());
    });

    afterEach(async () => {
      await ground.close();
    });

    const current = (): ObjectGround => ground;
    describeObjectReads(current);
    describeObjectWrites(current);
    describeObjectWatches(current);
    describeHistoryOfObjects(current);
  });
}
