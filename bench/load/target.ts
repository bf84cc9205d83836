import { credentialsOf, type ServerProcess } from "../../test/support/server-process.js";
import type { Target } from "./http1-client.js";

/** A server and its administrator's credentials. */
export function targetOf(server: Pick<ServerProcess, "port" | "kubeconfig">): Target {
  return { host: "127.0.0.1", port: server.port, ...credentialsOf(server) };
}
