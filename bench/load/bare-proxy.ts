import { createServer, Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestCertificate } from "../../test/support/test-authority.js";

/** The smallest reverse proxy in Node.js. Resolves with its port. */
export async function startBareProxy(
  port: number,
  caPem: string,
  { certPem, keyPem }: TestCertificate,
): Promise<number> {
  const agent = new HttpsAgent({ keepAlive: true, ca: caPem });
  const proxy = createServer({ cert: certPem, key: keyPem }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const call = httpsRequest({ host: "localhost", port, agent, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(call);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return (proxy.address() as AddressInfo).port; // it listens on a port
}
