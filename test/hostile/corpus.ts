import { dependents } from "./dependents.js";
import type { HostileRequest } from "./hostile-request.js";
import { largeObjects } from "./large-objects.js";
import { longLines } from "./long-lines.js";
import { longRequests } from "./long-requests.js";
import { manyParts } from "./many-parts.js";
import { oddRequests } from "./odd-requests.js";
import { protobufBodies } from "./protobuf-bodies.js";
import { refusedPatches } from "./refused-patches.js";
import { repeatedItems } from "./repeated-items.js";
import { schemaProducts } from "./schema-products.js";

/** What held a server up or made it fail before; the first requests of every run. */
export interface HostileCase {
  readonly name: string;
  /** Sent and answered before `requests`. */
  readonly before?: readonly HostileRequest[];
  /** The path of a collection that is served only some time after `before`. */
  readonly waitsFor?: string;
  readonly requests: readonly HostileRequest[];
  /** All at once, in place of one after the other. */
  readonly together?: boolean;
}

/** `objects`: config maps that lists meet. */
export function corpus(objects: number): readonly HostileCase[] {
  return [
    manyObjects(objects),
    ...longRequests(),
    refusedPatches(),
    ...longLines(),
    manyParts(),
    ...repeatedItems(),
    ...schemaProducts(),
    ...largeObjects(),
    ...dependents(),
    ...protobufBodies(),
    ...oddRequests(),
  ];
}

function manyObjects(count: number): HostileCase {
  const before = Array.from({ length: count }, (_, i): HostileRequest => {
    const metadata = { name: `many-${i}`, labels: { a: String(i % 7), [`k${i % 100}`]: "v" } };
    return {
      kind: "prepare",
      method: "POST",
      path: "/api/v1/namespaces/default/configmaps",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ metadata, data: { text: "x".repeat(200) } }),
    };
  });
  const requests = [
    {
      kind: "collection deleted, dry run",
      method: "DELETE",
      path: "/api/v1/namespaces/default/configmaps?dryRun=All",
    },
  ];
  return { name: "many objects", before, requests };
}
