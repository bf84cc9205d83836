import type { Socket } from "node:net";

/** What node:net has of a TCP connection, which it keeps in a property that is not documented. */
interface ReadHandle {
  readStart(): number;
  readStop(): number;
}

/**
 * Leaves what arrives in the system, also under a TLS socket, which pausing streams would not do: they read until their buffer is full. Does
 * nothing when the runtime has no such handle, or the socket is closed.
 */
export function pauseReading(socket: Socket): void {
  handleOf(socket)?.readStop();
}

export function resumeReading(socket: Socket): void {
  handleOf(socket)?.readStart();
}

function handleOf(socket: Socket): ReadHandle | undefined {
  const handle: unknown = Reflect.get(socket, "_handle");
  return isReadHandle(handle) ? handle : undefined;
}

function isReadHandle(value: unknown): value is ReadHandle {
  return (
    typeof value === "object" &&
    value !== null &&
    "readStart" in value &&
    typeof value.readStart === "function" &&
    "readStop" in value &&
    typeof value.readStop === "function"
  );
}
