import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type TLSSocket } from "node:tls";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type Issued, issue } from "../../access/authentication/certificates/testing/certificates.js";
import { boundChainChecks } from "./bound-chain-checks.js";

const root = await issue({ subject: "CN=root", authority: true });
const chain = [root];
for (const name of ["one", "two", "three"]) {
  chain.unshift(await issue({ subject: `CN=${name}`, issuer: chain[0], authority: true }));
}
const server = createServer({ ...credentials(chain[0]), requestCert: true, rejectUnauthorized: false });

beforeAll(async () => {
  expect(await boundChainChecks()).toBe(true);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => server.close());

function credentials(issuer: Issued | undefined) {
  if (issuer === undefined) throw new Error("no issuer");
  return { ca: root.certPem, cert: chain.map(({ certPem }) => certPem).join(""), key: issuer.keyPem };
}

test("OpenSSL looks for no authorities of clients, and shows what they sent; servers may have some intermediates", async () => {
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  const connected = once(server, "secureConnection");
  const client = connect({
    ...credentials(chain[0]),
    host: "127.0.0.1",
    port,
    checkServerIdentity: () => undefined,
  });
  await once(client, "secureConnect");
  const [accepted] = (await connected) as [TLSSocket];
  expect(client.authorized).toBe(true);
  expect(accepted.authorizationError).toBe("UNABLE_TO_GET_ISSUER_CERT_LOCALLY");
  const sent: string[] = [];
  let next = accepted.getPeerX509Certificate();
  for (; next !== undefined; next = next.issuerCertificate) sent.push(next.subject);
  expect(sent).toEqual(["CN=three", "CN=two", "CN=one", "CN=root"]);
  client.destroy();
  accepted.destroy();
});
