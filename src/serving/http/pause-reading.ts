import type { Socket } from "node:net";

/** The undocumented handle through which node:net reads a TCP connection. */
interface ReadHandle {
  readStart(): number;
  readStop(): number;
}

/**
 * Leaves incoming bytes in the kernel, also for a TLS socket. Pausing the stream would still fill its buffer. Does nothing if the runtime
 * has no such handle, or the socket is closed.
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
