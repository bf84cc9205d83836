import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
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
  return held(sockets);
}

function held(sockets: readonly Socket[]): HeldConnections {
  return {
    open: sockets.filter((socket) => !socket.destroyed).length,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends `count` hellos at the same moment, on connections that were silent before. Resolves when each is answered or cut. */
export async function sendHellosAtOnce(port: number, count: number): Promise<HeldConnections> {
  const hello = await clientHello();
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
  await Promise.all(sockets.map((socket) => opened(socket, "connect")));
  for (const socket of sockets) socket.write(hello);
  await Promise.all(sockets.map((socket) => opened(socket, "data")));
  return held(sockets);
}

/** What a TLS client says first. */
async function clientHello(): Promise<Buffer> {
  const listener = createServer();
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const client = connectTls({ host: "127.0.0.1", port: (listener.address() as AddressInfo).port });
  client.on("error", () => undefined);
  const [socket] = (await once(listener, "connection")) as [Socket];
  const [hello] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  listener.close();
  return hello;
}

/** A server that takes no more connections may refuse this one. */
async function opened(socket: Socket, event: string): Promise<void> {
  socket.on("error", () => undefined);
  await Promise.race([once(socket, event), new Promise((resolve) => socket.once("close", resolve))]);
}
