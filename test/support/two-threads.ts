import { expect } from "vitest";
import { ApiClient } from "./api-client.js";
import { OneConnection } from "./one-connection.js";
import { disposeAll, type ServerProcess, type ServerProcessOptions, startServer } from "./server-process.js";

export type ThreadName = "main" | "reader-1";

/** A server of two threads, and a connection to each of them. */
export interface TwoThreads {
  readonly server: ServerProcess;
  readonly api: ApiClient;
  readonly on: Readonly<Record<ThreadName, OneConnection>>;
  readonly metrics: () => Promise<string>;
  /** Opens another connection, to this thread. */
  connect(thread: ThreadName): Promise<OneConnection>;
}

const servers: ServerProcess[] = [];
const connections: OneConnection[] = [];

export async function startTwoThreads(options: ServerProcessOptions = {}): Promise<TwoThreads> {
  const server = await startServer({
    ...options,
    args: ["--serving-threads=2", ...(options.args ?? [])],
  });
  servers.push(server);
  const api = new ApiClient(server);
  const open = (): OneConnection => {
    const connection = new OneConnection(server.url, api.tls);
    connections.push(connection);
    return connection;
  };
  const watching = open();
  const metrics = async (): Promise<string> => (await watching.ask("GET", "/metrics")).text;
  const ofMain = async (): Promise<number> =>
    metricValue(await metrics(), 'apiserver_serving_thread_connections{thread="main"}');
  const connect = async (thread: ThreadName): Promise<OneConnection> => {
    // The thread with the fewest connections gets the next one.
    for (;;) {
      const before = await ofMain();
      const connection = open();
      expect((await connection.ask("GET", "/version")).status).toBe(200);
      if ((await ofMain()) > before === (thread === "main")) return connection;
    }
  };
  const on = { main: await connect("main"), "reader-1": await connect("reader-1") };
  return { server, api, metrics, on, connect };
}

/** Ends all servers and connections. */
export async function endTwoThreads(): Promise<void> {
  for (const connection of connections.splice(0)) connection.close();
  await disposeAll(servers);
}

/** 0 when it is not on the page. */
export function metricValue(page: string, series: string): number {
  const line = page.split("\n").find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}
