import { createServer, type Http2Server } from "node:http2";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../time/clock.js";
import { grpcStatus } from "../grpc/grpc-call.js";
import { WireWriter } from "../grpc/wire-writer.js";
import { ConnectionPool } from "./connection-pool.js";

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) each.close();
});

const frame = new WireWriter(16).frame();

/** Members that end every call as they are told to. */
async function poolOf(...trailers: readonly Record<string, string>[]): Promise<ConnectionPool> {
  const endpoints = await Promise.all(trailers.map((each) => startMember(each)));
  const pool = new ConnectionPool(endpoints, { clock: systemClock });
  open.push(pool);
  return pool;
}

async function startMember(trailers: Record<string, string>): Promise<string> {
  const server: Http2Server = createServer();
  open.push(server);
  server.on("stream", (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers(trailers));
    stream.end(trailers["grpc-status"] === "0" ? frame : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

const late = { "grpc-status": "2", "grpc-message": "context deadline exceeded" };
const fine = { "grpc-status": "0" };
const call = (repeatable: boolean) => ({ method: "/a.B/C", frame, repeatable });

test("a read that a member without a leader gave up is asked of another member", async () => {
  const pool = await poolOf(late, fine);
  await expect(pool.call(call(true), 5000)).resolves.toHaveLength(0);
});

test("a write that a member gave up is not repeated: it may have been done", async () => {
  const pool = await poolOf(late, fine);
  await expect(pool.call(call(false), 5000)).rejects.toMatchObject({ status: grpcStatus.unknown });
});

test("any other unknown failure is passed on unchanged", async () => {
  const pool = await poolOf({ "grpc-status": "2", "grpc-message": "broken" }, fine);
  await expect(pool.call(call(true), 5000)).rejects.toMatchObject({ message: "broken" });
});
