import { once } from "node:events";
import { connect } from "node:http2";
import type { Target } from "./http1-client.js";

/**
 * Writes to one object, one after the other, with a watch on the same HTTP/2 connection. Returns for each write the time of its event
 * minus the time its response began, in milliseconds: controllers that read their caches after a write want it to be below zero.
 */
export async function eventsMinusAnswers(
  { host, port, ca, cert, key }: Target,
  {
    collection,
    name,
    writes,
  }: { readonly collection: string; readonly name: string; readonly writes: number },
): Promise<number[]> {
  const session = connect(`https://${host}:${port}`, { ca, cert, key });
  try {
    await once(session, "connect");
    const watch = session.request({ ":path": `${collection}?watch=1&fieldSelector=metadata.name=${name}` });
    watch.setEncoding("utf8");
    let text = "";
    const eventAt = new Map<string, number>();
    let arrived = (): void => undefined;
    watch.on("data", (piece: string) => {
      const now = performance.now();
      text += piece;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
        const turn = /"turn":"([^"]+)"/.exec(text.slice(0, end))?.[1];
        if (turn !== undefined) eventAt.set(turn, now);
        text = text.slice(end + 1);
      }
      arrived();
    });
    await once(watch, "response");
    const differences: number[] = [];
    for (let write = 0; write < writes; write++) {
      const turn = `order-${write}`;
      const patch = session.request({
        ":method": "PATCH",
        ":path": `${collection}/${name}`,
        "content-type": "application/merge-patch+json",
      });
      patch.end(JSON.stringify({ data: { turn } }));
      const [headers] = await once(patch, "response");
      const answeredAt = performance.now();
      if (headers[":status"] !== 200) throw new Error(`a patch was answered ${headers[":status"]}`);
      patch.resume();
      await once(patch, "end");
      let cameAt = eventAt.get(turn);
      while (cameAt === undefined) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
        cameAt = eventAt.get(turn);
      }
      differences.push(cameAt - answeredAt);
    }
    return differences;
  } finally {
    session.destroy();
  }
}
