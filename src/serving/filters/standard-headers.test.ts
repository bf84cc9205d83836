import { expect, test } from "vitest";
import type { HttpExchange } from "../http/exchange.js";
import { openContext } from "../request/open-context.js";
import { standardHeaders } from "./standard-headers.js";

test.each([
  ["chosen", "chosen"],
  ["", "new"],
  ["a".repeat(1024), "a".repeat(1024)],
  ["a".repeat(1_000_000), "a".repeat(1024)],
])("a client chooses the audit id, of at most 1,024 characters (%#)", async (asked, expected) => {
  const added: Record<string, string> = {};
  const exchange = {
    method: "GET",
    target: "/api",
    path: "/api",
    query: "",
    headers: { "audit-id": asked },
    addResponseHeader: (name: string, value: string) => {
      added[name] = value;
    },
  };
  // The members of an exchange that the filter uses.
  const context = openContext(exchange as unknown as HttpExchange, new Date(0));
  await standardHeaders(() => "new")(context, async () => {});
  expect(context.auditId).toBe(expected);
  expect(added["Audit-Id"]).toBe(expected);
});
