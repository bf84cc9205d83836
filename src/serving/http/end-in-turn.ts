import type { Socket } from "node:net";
import type { TakesTurns } from "../../event-loop/turn-queue.js";

/**
 * Delays the end of a connection, when its peer closes or resets it, until its turn: closing thousands at once would block the event
 * loop. At the end, node:net pushes null, which usually closes the connection, or destroys the socket if reading fails; it reads nothing
 * afterwards.
 */
export function endInTurn(socket: Socket, turns: TakesTurns): void {
  const { push, destroy } = socket;
  const end = async (): Promise<void> => {
    await turns.take();
    if (socket.destroyed) return;
    push.call(socket, null);
    socket.read(0);
  };
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk !== null) return push.call(socket, chunk, encoding);
    void end();
    return false;
  };
  socket.destroy = (error) => {
    if (!isReadError(error)) return destroy.call(socket, error);
    void turns.take().then(() => destroy.call(socket, error));
    return socket;
  };
}

function isReadError(error: NodeJS.ErrnoException | undefined): boolean {
  return error?.syscall === "read";
}
