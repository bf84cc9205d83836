import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "./random.js";
import type { Fault } from "./run-round.js";
import type { ServerNode } from "./server-node.js";
import type { TcpProxy } from "./tcp-proxy.js";

/** Faults of servers, and of the connections between them and their clients. */
export function serverFaults(nodes: readonly [ServerNode, ...ServerNode[]]): [Fault, ...Fault[]] {
  const faults: [Fault, ...Fault[]] = [
    {
      name: "kill -9 a server",
      async run(random) {
        const node = random.pick(nodes);
        await node.kill();
        await sleep(random.between(0, 500));
        await node.restart();
      },
    },
    { name: "pause a server", run: (random) => random.pick(nodes).pause(random.between(100, 1_200)) },
    ...linkFaults("clients and a server", (random) => [random.pick(nodes).proxy]),
  ];
  if (nodes.length > 1)
    faults.push({
      name: "kill -9 every server",
      async run(random) {
        await Promise.all(nodes.map((node) => node.kill()));
        await sleep(random.between(0, 500));
        await Promise.all(nodes.map((node) => node.restart()));
      },
    });
  return faults;
}

/** Faults of connections; `choose` says which. */
export function linkFaults(between: string, choose: (random: Random) => readonly TcpProxy[]): Fault[] {
  const during = (inject: (link: TcpProxy, random: Random) => void) => async (random: Random) => {
    const links = choose(random);
    for (const link of links) inject(link, random);
    await sleep(random.between(100, 1_200));
    for (const link of links) link.heal();
  };
  return [
    { name: `cut ${between}`, run: during((link) => link.cut()) },
    { name: `refuse ${between}`, run: during((link) => link.refuse()) },
    { name: `hold ${between}`, run: during((link) => link.hold()) },
    { name: `delay ${between}`, run: during((link, random) => link.delay(random.between(5, 80))) },
  ];
}
