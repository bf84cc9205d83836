import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../support/free-ports.js";

/** Why the tests here cannot run, or undefined when they can. With `REQUIRE_ETCD=1` they run, and fail. */
export const etcdMissing: string | undefined =
  process.env.REQUIRE_ETCD === "1" || spawnSync("etcd", ["--version"]).status === 0
    ? undefined
    : "no etcd on the PATH (Debian: etcd-server); REQUIRE_ETCD=1 makes this a failure";

export interface EtcdTls {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

export interface EtcdClusterOptions {
  readonly members?: number;
  /** Serve clients by https, and ask them for certificates of the same authority. */
  readonly tls?: EtcdTls;
}

interface Member {
  readonly name: string;
  readonly endpoint: string;
  readonly args: readonly string[];
  process: ChildProcess;
}

/** On a busy machine members hear of each other late: healthy ones would elect a leader again. */
const patience = [
  ["--heartbeat-interval", "300"],
  ["--election-timeout", "3000"],
];

/** etcd members as child processes, with a data directory that is removed afterwards. */
export class EtcdCluster {
  readonly #directory: string;
  readonly #members: Member[];

  static async start(options: EtcdClusterOptions = {}): Promise<EtcdCluster> {
    const directory = await mkdtemp(join(tmpdir(), "etcd-"));
    const count = options.members ?? 1;
    const ports = await freePorts(count * 2);
    const scheme = options.tls === undefined ? "http" : "https";
    const names = Array.from({ length: count }, (_, index) => `member${index}`);
    const peer = (index: number): string => `http://127.0.0.1:${ports[count + index]}`;
    const cluster = names.map((name, index) => `${name}=${peer(index)}`).join();
    const members = names.map((name, index): Member => {
      const endpoint = `${scheme}://127.0.0.1:${ports[index]}`;
      const args = [
        ["--name", name],
        ["--data-dir", join(directory, name)],
        ["--listen-client-urls", endpoint],
        ["--advertise-client-urls", endpoint],
        ["--listen-peer-urls", peer(index)],
        ["--initial-advertise-peer-urls", peer(index)],
        ["--initial-cluster", cluster],
        ["--logger", "zap"],
        ["--log-level", "error"],
        ...(count > 1 ? patience : []),
        ...(options.tls === undefined ? [] : tlsArguments(options.tls)),
      ].flat();
      return { name, endpoint, args, process: spawnEtcd(args) };
    });
    return new EtcdCluster(directory, members);
  }

  private constructor(directory: string, members: Member[]) {
    this.#directory = directory;
    this.#members = members;
  }

  get endpoints(): readonly string[] {
    return this.#members.map((member) => member.endpoint);
  }

  /** Stops a member, and waits until all its threads stand still: on a busy machine some run on after the signal. */
  async suspend(index: number): Promise<void> {
    const { process } = this.#member(index);
    process.kill("SIGSTOP");
    while (!(await standsStill(process))) await sleep(5);
  }

  resume(index: number): void {
    this.#member(index).process.kill("SIGCONT");
  }

  /** Kills all members and does not wait for their end: for a process that exits. */
  killNow(): void {
    for (const { process } of this.#members) process.kill("SIGKILL");
  }

  async kill(index: number): Promise<void> {
    await end(this.#member(index).process);
  }

  restart(index: number): void {
    const member = this.#member(index);
    member.process = spawnEtcd(member.args);
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => end(member.process)));
    await rm(this.#directory, { recursive: true });
  }

  #member(index: number): Member {
    const member = this.#members[index];
    if (member === undefined) throw new RangeError(`no member ${index}`);
    return member;
  }
}

function spawnEtcd(args: readonly string[]): ChildProcess {
  return spawn("etcd", args, { stdio: ["ignore", "ignore", "ignore"], env: { PATH: process.env.PATH } });
}

function tlsArguments(tls: EtcdTls): string[][] {
  return [
    ["--cert-file", tls.certFile],
    ["--key-file", tls.keyFile],
    ["--trusted-ca-file", tls.caFile],
    ["--client-cert-auth"],
  ];
}

/** Whether every thread of a process is stopped (state `T`, proc_pid_stat(5)), or the process has ended. */
async function standsStill({ pid, exitCode, signalCode }: ChildProcess): Promise<boolean> {
  if (exitCode !== null || signalCode !== null) return true;
  const threads = await readdir(`/proc/${pid}/task`);
  const states = await Promise.all(
    threads.map(async (thread) => {
      const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => undefined);
      return stat?.slice(stat.lastIndexOf(")") + 2)[0] ?? "ended";
    }),
  );
  return states.every((state) => state === "T" || state === "ended");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}
