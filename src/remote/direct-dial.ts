import { connect } from "node:net";
import type { Dial } from "./remote-client.js";

/** Connects directly to the address. Rejects when that fails, and with the signal's reason. */
export const directDial: Dial = ({ host, port }, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = connect({ host, port, noDelay: true, keepAlive: true });
    const aborted = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener("abort", aborted, { once: true });
    socket.once("connect", () => {
      signal.removeEventListener("abort", aborted);
      resolve(socket);
    });
    socket.once("error", (error) => {
      signal.removeEventListener("abort", aborted);
      reject(error);
    });
  });
