import { once } from "node:events";
import { createServer, type Server } from "node:net";

/**
 * Below the ephemeral ports, which outgoing connections would take before the server does, and above the ports of Kubernetes' own
 * components.
 */
const ports = { from: 10_300, below: 30_000 };

/** Ports of 127.0.0.1 that were free a moment ago, all held at once so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const held: { readonly port: number; readonly server: Server }[] = [];
  while (held.length < count) {
    const port = ports.from + Math.floor(Math.random() * (ports.below - ports.from));
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      held.push({ port, server });
    } catch (error) {
      // Somebody else has it.
      if (!String(error).includes("EADDRINUSE")) throw error;
    }
  }
  return await Promise.all(
    held.map(async ({ port, server }) => {
      server.close();
      await once(server, "close");
      return port;
    }),
  );
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
