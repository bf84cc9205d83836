import { ExtensionApiServer } from "../../test/support/extension-api-server.js";
import { TestAuthority } from "../../test/support/test-authority.js";
import { startBareProxy } from "./bare-proxy.js";

/** What the process reports once it listens. */
export interface ExtensionWorkerReady {
  readonly port: number;
  readonly caPem: string;
}

/**
 * A server in its own process: an extension API server, which speaks HTTP/2 when the argument is `http2`; or, when the argument is a port
 * and `CA` holds the PEM of a CA, a proxy in front of the server on that port.
 */
const [kind = "http1"] = process.argv.slice(2);
const names = ["flunders.default.svc", "localhost"];
const authority = await TestAuthority.create("extension servers");

async function start(): Promise<number> {
  const behind = Number(kind);
  if (behind > 0) {
    return await startBareProxy(
      behind,
      process.env.CA ?? "",
      await authority.issue({ commonName: "localhost", usage: "server", names }),
    );
  }
  const isHttp2 = kind === "http2";
  const server = await ExtensionApiServer.start({
    group: "wardle.example.com",
    version: isHttp2 ? "v2" : "v1",
    names,
    authority,
    http2: isHttp2,
    // The benchmark does not read the recorded requests.
    records: false,
  });
  return server.port;
}

const ready: ExtensionWorkerReady = { port: await start(), caPem: authority.caPem };
process.send?.(ready);
process.once("disconnect", () => process.exit(0));
