import { setTimeout as sleep } from "node:timers/promises";
import { EtcdCluster } from "../etcd/etcd-cluster.js";
import type { Random } from "./random.js";
import type { Fault } from "./run-round.js";
import { linkFaults, serverFaults } from "./server-faults.js";
import { ServerNode } from "./server-node.js";
import { TcpProxy } from "./tcp-proxy.js";

export interface EtcdGroundOptions {
  readonly servers: number;
  readonly members: number;
  /** Arguments of every server. */
  readonly args: readonly string[];
}

/** Several servers on one etcd cluster, with a proxy between each server and each member. */
export class EtcdGround {
  readonly nodes: readonly [ServerNode, ...ServerNode[]];
  readonly faults: readonly [Fault, ...Fault[]];
  readonly #cluster: EtcdCluster;
  /** The paths from each server to the members. */
  readonly #links: readonly (readonly TcpProxy[])[];
  readonly #killCluster: () => void;

  static async start(options: EtcdGroundOptions): Promise<EtcdGround> {
    const cluster = await EtcdCluster.start({ members: options.members });
    const killCluster = (): void => cluster.killNow();
    process.once("exit", killCluster);
    try {
      await untilLed(cluster);
      const links: TcpProxy[][] = [];
      const nodes: ServerNode[] = [];
      for (let index = 0; index < options.servers; index++) {
        const ways = await Promise.all(
          cluster.endpoints.map((endpoint) => TcpProxy.start(Number(new URL(endpoint).port))),
        );
        links.push(ways);
        const servers = ways.map((way) => `http://127.0.0.1:${way.port}`).join();
        nodes.push(await ServerNode.start(index, { args: [`--store-servers=${servers}`, ...options.args] }));
      }
      const [first, ...others] = nodes;
      if (first === undefined) throw new RangeError("no servers");
      return new EtcdGround(cluster, [first, ...others], links, killCluster);
    } catch (error) {
      process.removeListener("exit", killCluster);
      await cluster.close();
      throw error;
    }
  }

  private constructor(
    cluster: EtcdCluster,
    nodes: readonly [ServerNode, ...ServerNode[]],
    links: readonly (readonly TcpProxy[])[],
    killCluster: () => void,
  ) {
    this.#cluster = cluster;
    this.nodes = nodes;
    this.#links = links;
    this.#killCluster = killCluster;
    const chosen = (random: Random): readonly TcpProxy[] => links[random.between(0, links.length - 1)] ?? [];
    this.faults = [
      ...serverFaults(nodes),
      ...memberFaults(cluster),
      ...linkFaults("a server and every member", chosen),
      ...linkFaults("a server and one member", (random) => {
        const ways = chosen(random);
        return ways.slice(random.between(0, ways.length - 1)).slice(0, 1);
      }),
    ];
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
    await Promise.all(this.#links.flat().map((link) => link.close()));
    await this.#cluster.close();
    process.removeListener("exit", this.#killCluster);
  }
}

function memberFaults(cluster: EtcdCluster): Fault[] {
  const any = async (random: Random): Promise<number> => random.between(0, cluster.endpoints.length - 1);
  const leader = async (random: Random): Promise<number> => (await leaderOf(cluster)) ?? (await any(random));
  const fault = (
    name: string,
    choose: (random: Random) => Promise<number>,
    inject: (member: number, random: Random) => Promise<void>,
  ): Fault => ({
    name,
    async run(random) {
      await inject(await choose(random), random);
      await untilLed(cluster);
    },
  });
  const kill = async (member: number, random: Random): Promise<void> => {
    await cluster.kill(member);
    await sleep(random.between(0, 2_000));
    cluster.restart(member);
  };
  const pause = async (member: number, random: Random): Promise<void> => {
    await cluster.suspend(member);
    await sleep(random.between(100, 2_500));
    cluster.resume(member);
  };
  return [
    fault("kill -9 a member", any, kill),
    fault("kill -9 the leader", leader, kill),
    fault("pause a member", any, pause),
    fault("pause the leader", leader, pause),
    fault("kill -9 every member", any, async (_, random) => {
      const members = cluster.endpoints.map((_endpoint, member) => member);
      await Promise.all(members.map((member) => cluster.kill(member)));
      await sleep(random.between(0, 500));
      for (const member of members) cluster.restart(member);
    }),
  ];
}

/** Faults come one at a time, so a cluster without a leader must be starting. */
async function untilLed(cluster: EtcdCluster): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if ((await leaderOf(cluster)) !== undefined) return;
    await sleep(50);
  }
  throw new Error("the etcd members found no leader");
}

interface MemberStatus {
  readonly header: { readonly member_id: string };
  readonly leader?: string;
}

/** The index of the member that considers itself the leader; undefined when none does. */
async function leaderOf(cluster: EtcdCluster): Promise<number | undefined> {
  const statuses = await Promise.all(
    cluster.endpoints.map(async (endpoint): Promise<MemberStatus | undefined> => {
      try {
        const answer = await fetch(`${endpoint}/v3/maintenance/status`, {
          method: "POST",
          body: "{}",
          signal: AbortSignal.timeout(500),
        });
        return (await answer.json()) as MemberStatus; // as etcd's gateway documents it
      } catch {
        return undefined;
      }
    }),
  );
  const index = statuses.findIndex(
    (status) => status?.header !== undefined && status.leader === status.header.member_id,
  );
  return index < 0 ? undefined : index;
}
