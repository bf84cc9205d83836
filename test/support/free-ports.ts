import { once } from "node:events";
import { createServer } from "node:net";

/** Ports of 127.0.0.1 that were free a moment ago, all held at once so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  return await Promise.all(
    servers.map(async (server) => {
      const address = server.address();
      server.close();
      await once(server, "close");
      if (address === null || typeof address === "string") throw new Error("no port");
      return address.port;
    }),
  );
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
