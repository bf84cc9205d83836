import type { Socket } from "node:net";

/** The undocumented handle by which node:net reads a TCP connection. */
interface ReadHandle {
  readStart(): number;
  readStop(): number;
}

/**
 * Leaves what arrives in the kernel, under a TLS socket too. Pausing the stream would not do that: it reads until its buffer is full. Does
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
