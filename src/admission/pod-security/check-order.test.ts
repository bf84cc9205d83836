import { expect, test } from "vitest";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { StoredObject } from "../../storage/object-store.js";
import { checkOrder } from "./check-order.js";

function pods(count: number): StoredObject<Pod>[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `ns/${index}`,
    revision: 1,
    body: Buffer.alloc(0),
    decode: (): Pod => ({ metadata: { name: String(index) }, spec: { containers: [] }, status: {} }),
  })) as StoredObject<Pod>[]; // all that it reads
}

test("pods that are not read in time are counted", async () => {
  let looks = 0;
  const { pods: ordered, unread } = await checkOrder(pods(170), {
    isExempt: ({ metadata }) => metadata.name === "0",
    runWork: async (work) => work(),
    isOver: () => ++looks > 1,
  });
  expect([ordered.length, unread]).toEqual([99, 70]);
});
