import { afterEach, expect, test } from "vitest";
import { StatusError } from "../../apimachinery/errors/status.js";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import { bodyBytesMax, readBytes } from "./read-body.js";

let server: TestServer | undefined;
afterEach(() => server?.close());

test("a body over 3 MiB is 413 in Kubernetes' words, one of 3 MiB is not", async () => {
  server = await startTestServer(async (exchange) => {
    try {
      exchange.respond(200, {}, `${(await readBytes(exchange)).length}`);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      exchange.respond(error.code, {}, error.message);
    }
  });
  const fits = await server.fetch("/", { method: "POST", body: Buffer.alloc(bodyBytesMax) });
  expect(fits.body.toString()).toBe("3145728");
  for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
    const refused = await server.fetch("/", {
      method: "POST",
      headers,
      body: Buffer.alloc(bodyBytesMax + 1),
    });
    expect(refused.status).toBe(413);
    expect(refused.body.toString()).toBe("Request entity too large: limit is 3145728");
  }
});
