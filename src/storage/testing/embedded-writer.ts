/**
 * A process that opens the embedded store in the directory given as its argument, announces it, and then writes without end, reporting
 * every acknowledged write on standard output as a line `key revision`. Tests kill it.
 */
import { openEmbeddedStore } from "../embedded/embedded-store.js";
import { isStorageError } from "../storage-error.js";

async function write(directory: string): Promise<void> {
  const store = await openEmbeddedStore({ directory });
  const from = await store.currentRevision();
  process.stdout.write("open\n");
  await Promise.all(
    Array.from({ length: 20 }, async (_, writer) => {
      for (let step = 0; ; step++) {
        const key = `/${writer}/${from + step}`;
        const value = Buffer.alloc(2000, key);
        // Two keys in each transaction: both survive, or neither.
        const { revision } = await store.transact({
          compare: [],
          success: [
            { kind: "put", key, value },
            { kind: "put", key: `${key}/twin`, value },
            { kind: "put", key: `/${writer}`, value: Buffer.from(key) },
          ],
          failure: [],
        });
        process.stdout.write(`${key} ${revision}\n`);
        if (step % 100 === 0 && writer === 0) await store.compact(revision);
      }
    }),
  );
}

const [, , directory] = process.argv;
if (directory === undefined) throw new Error("usage: embedded-writer DIRECTORY");
try {
  await write(directory);
} catch (error) {
  process.stdout.write(
    `refused ${isStorageError(error) ? `${error.code}: ${error.message}` : String(error)}\n`,
  );
  process.exitCode = 1;
}
