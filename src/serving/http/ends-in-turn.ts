import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { TurnQueue } from "../../apimachinery/turns.js";

/** Lets the socket end, which closes it in most cases, when it has its turn: node:net pushes null when the client has closed its side. */
export function endInTurn(socket: TLSSocket, turns: TurnQueue): void {
  const push = socket.push;
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
}

/**
 * Lets a destroyed TCP socket give up its handle when it has its turn. A TLS socket above it frees what it has of OpenSSL after that, also
 * when it never finished its handshake or was reset.
 */
export function closeInTurn(socket: Socket, turns: TurnQueue): void {
  const close = socket._destroy;
  const closeNow = async (error: Error | null, done: (error?: Error | null) => void): Promise<void> => {
    await turns.take();
    close.call(socket, error, done);
  };
  socket._destroy = (error, done) => void closeNow(error, done).catch(done);
}
