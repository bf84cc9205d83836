import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface HeldConnections {
  /** Those that were accepted. */
  readonly open: number;
  close(): void;
}

/** The beginning of a ClientHello: a record of 512 bytes is announced, and two of them come. */
const halfHello = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]);
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const emptySettings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** A HEADERS frame of 100 bytes is announced for stream 1, and ten come. */
const halfHeaders = Buffer.from([0, 0, 100, 1, 4, 0, 0, 0, 1, 0x82, 0x84, 0x87, 0x41, 0x8a, 0, 0, 0, 0, 0]);

/** Opens `count` connections in each state in which a client may say nothing more, and keeps them. */
export async function holdConnections(port: number, count: number): Promise<HeldConnections> {
  const sockets: Socket[] = [];
  const plain = async (bytes?: Uint8Array): Promise<void> => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    await opened(socket, "connect");
    if (bytes !== undefined) socket.write(bytes);
  };
  const secured = async (protocol: string, ...sent: readonly (string | Uint8Array)[]): Promise<void> => {
    const socket = connectTls({
      port,
      host: "127.0.0.1",
      ALPNProtocols: [protocol],
      rejectUnauthorized: false,
    });
    sockets.push(socket);
    await opened(socket, "secureConnect");
    for (const bytes of sent) socket.write(bytes);
  };
  for (let i = 0; i < count; i++) {
    await Promise.all([
      plain(),
      plain(halfHello),
      secured("http/1.1"),
      secured("http/1.1", "GET /api HTTP/1.1\r\nHost: x\r\nX-Half: "),
      secured("h2"),
      secured("h2", preface, emptySettings),
      secured("h2", preface, emptySettings, halfHeaders),
    ]);
  }
  return {
    open: sockets.filter((socket) => !socket.destroyed).length,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A server that takes no more connections may refuse this one. */
async function opened(socket: Socket, event: string): Promise<void> {
  socket.on("error", () => undefined);
  await Promise.race([once(socket, event), new Promise((resolve) => socket.once("close", resolve))]);
}
