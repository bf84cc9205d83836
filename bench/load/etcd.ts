import { spawn, spawnSync } from "node:child_process";

export interface Etcd {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** One member on this machine with its data in `directory`; undefined where there is no etcd on the PATH. */
export function startEtcd(directory: string): Etcd | undefined {
  if (spawnSync("etcd", ["--version"]).status !== 0) return undefined;
  const [client, peer] = ["http://127.0.0.1:23790", "http://127.0.0.1:23800"];
  const urls = ["--listen-client-urls", "--advertise-client-urls"].flatMap((name) => [name, client]);
  const peers = ["--listen-peer-urls", "--initial-advertise-peer-urls"].flatMap((name) => [name, peer]);
  const args = [...urls, ...peers, "--initial-cluster", `default=${peer}`, "--data-dir", directory];
  const etcd = spawn("etcd", args, { stdio: "ignore" });
  return {
    endpoint: client,
    async stop() {
      const exited = new Promise((resolve) => etcd.once("exit", resolve));
      etcd.kill("SIGTERM");
      await exited;
    },
  };
}
