import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";
import { issue } from "../../src/access/authentication/certificates/testing/certificates.js";
import { readPeerCertificates } from "../../src/serving/http/peer-certificates.js";

/** Whether this Node.js shows a server the intermediates that a client sends: some releases do not (nodejs/node issue 65579). */
export async function runtimeReadsChains(): Promise<boolean> {
  const ca = await issue({ subject: "CN=ca", authority: true });
  const between = await issue({ subject: "CN=between", issuer: ca, authority: true });
  const leaf = await issue({ subject: "CN=leaf", issuer: between });
  const options = { cert: leaf.certPem + between.certPem, key: leaf.keyPem, rejectUnauthorized: false };
  // The releases in question drop the chain when it leads to an authority of the server's.
  const server = createServer({ ...options, requestCert: true, ca: ca.certPem });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  const client = connect({ ...options, port, host: "127.0.0.1" });
  const [socket] = await once(server, "secureConnection");
  const sees = (readPeerCertificates(socket)?.others.length ?? 0) > 0;
  client.destroy();
  server.close();
  return sees;
}
