import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { KeyValueStore } from "../../storage/kv.js";
import { type ServedStoreObserver, serveStore } from "../../storage/thread-store/serve-store.js";
import type { Stores } from "./open-store.js";

/** For another thread: ports to the engines of this one. They are moved to it. */
export interface StorePorts {
  readonly main: MessagePort;
  /** By the servers of the override, joined by semicolons. */
  readonly overrides: ReadonlyMap<string, MessagePort>;
}

export interface ServedStores {
  readonly ports: StorePorts;
  /** Ends the other thread's use of the stores, which stay open. */
  stop(): void;
}

/** Lets another thread use this thread's stores. They do not keep the process alive. */
export function serveStores(
  { kv, overrides }: Pick<Stores, "kv" | "overrides">,
  observer?: ServedStoreObserver,
): ServedStores {
  const stops: (() => void)[] = [];
  const portTo = (store: KeyValueStore): MessagePort => {
    const { port1: own, port2: theirs } = new MessageChannel();
    const stop = serveStore(store, own, observer);
    own.unref();
    stops.push(stop, () => own.close());
    return theirs;
  };
  const main = portTo(kv);
  const byServers = new Map([...overrides].map(([servers, store]) => [servers, portTo(store)]));
  return {
    ports: { main, overrides: byServers },
    stop() {
      for (const stop of stops) stop();
    },
  };
}

/** Throws when the other thread has no store of these servers. */
export function portOfServers({ overrides }: StorePorts, servers: readonly string[]): MessagePort {
  const port = overrides.get(servers.join(";"));
  if (port === undefined) throw new Error("the other thread has no port for a store");
  return port;
}
