import { expect, test } from "vitest";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import type { RequestContext } from "../request/request-context.js";
import type { Negotiated } from "../responses/negotiator.js";
import type { Lanes } from "./lanes.js";
import { LargeRequests } from "./large-requests.js";

const create = {
  info: { verb: "create", apiGroup: "example.com", apiVersion: "v1", resource: "boats", name: "" },
  body: { bytes: Buffer.from("{}"), headers: {} },
  exchange: { query: new URLSearchParams(), headers: {} },
} as unknown as RequestContext; // what is read of a request
const negotiated = { representation: "json", pretty: false } as Negotiated;

/** A kind whose schema is parsed in this many steps. */
function kindWith(parts: number) {
  const made: string[] = [];
  const preparation = Array.from({ length: parts }, () => () => void made.push("part"));
  const version = {
    checksPerByte: () => 1,
    schemaWeight: () => 200_000,
    preparation: () => (made.length === parts ? undefined : preparation),
    conversion: { hub: true },
  };
  const catalog = {
    find: () => ({ endpoint: { registry: { knownSize: () => undefined } }, version }),
  } as unknown as ApiCatalog;
  return { large: new LargeRequests({ catalog, lanes: {} as Lanes, bytesMin: 64 * 1024 }), made };
}

test("lanes answer while a large schema is made ready, once for all requests", async () => {
  const { large, made } = kindWith(3);
  expect(large.includes(create, negotiated)).toBe(true);
  expect(large.includes(create, negotiated)).toBe(true);
  await expect.poll(() => large.includes(create, negotiated)).toBe(false);
  expect(made).toHaveLength(3);
});

test("a small request for a kind whose schema is ready is no large one", () => {
  expect(kindWith(0).large.includes(create, negotiated)).toBe(false);
});
