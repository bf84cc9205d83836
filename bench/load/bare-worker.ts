import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that answers at once: how long its answers take is what the machine and the load leave to any process. */
const server = createServer((_request, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  process.send?.(port);
});
process.once("disconnect", () => process.exit(0));
