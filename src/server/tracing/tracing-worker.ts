import { parentPort, workerData } from "node:worker_threads";
import { SpanSender } from "./span-sender.js";
import type { CloseRequest, SenderMessage, SenderWork } from "./tracing-thread.js";

/** The entry point of the thread that sends spans. */
const { destination, taken }: SenderWork = workerData;
const tell = (message: SenderMessage): void => parentPort?.postMessage(message);
const sender = new SpanSender(destination, (reason) => tell({ failure: reason }));

parentPort?.on("message", async (sent: string | CloseRequest) => {
  if (typeof sent === "string") {
    sender.send(sent);
    Atomics.add(taken, 0, 1);
    return;
  }
  await sender.close(sent.closeWithinMs);
  tell("closed");
});
