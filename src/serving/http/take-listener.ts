import type { Server } from "node:https";

/** Removes the one listener that Node itself installed. */
export function takeListener<T>(server: Server, event: string): (this: Server, value: T) => void {
  const [listener] = server.listeners(event);
  server.removeAllListeners(event);
  if (listener === undefined) throw new Error(`node:https no longer listens to its own ${event}`);
  return listener as (this: Server, value: T) => void; // the event's documented signature
}
