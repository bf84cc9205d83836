import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import type { ApiClient } from "../support/api-client.js";
import type { ServerProcess } from "../support/server-process.js";

/**
 * The real controllers and the real scheduler on a server without a simulation, and kwok in the place of nodes: programs in `directory`,
 * named kube-controller-manager, kube-scheduler and kwok. Resolves with what ends them.
 */
export async function startRealCluster(
  server: ServerProcess,
  api: ApiClient,
  directory: string,
): Promise<() => Promise<void>> {
  const config = server.kubeconfig;
  const run = (program: string, args: readonly string[]): ChildProcess => {
    const log = openSync(join(server.dataDirectory, `${program}.log`), "w");
    return spawn(join(directory, program), [...args], { stdio: ["ignore", log, log] });
  };
  for (let number = 0; number < 3; number++) {
    await api.post("/api/v1/nodes", {
      apiVersion: "v1",
      kind: "Node",
      metadata: {
        name: `node-${number}`,
        annotations: { "kwok.x-k8s.io/node": "fake" },
        labels: { "kubernetes.io/hostname": `node-${number}`, "kubernetes.io/os": "linux" },
      },
      status: {
        allocatable: { cpu: "8", memory: "32Gi", pods: "110" },
        capacity: { cpu: "8", memory: "32Gi", pods: "110" },
      },
    });
  }
  const children = [
    run("kube-controller-manager", [
      `--kubeconfig=${config}`,
      "--leader-elect=false",
      "--secure-port=0",
      "--controllers=*,-namespace,-garbagecollector,-resourcequota,-serviceaccount,-serviceaccount-token,-root-ca-cert-publisher,-clusterrole-aggregation",
    ]),
    run("kube-scheduler", [`--kubeconfig=${config}`, "--leader-elect=false", "--secure-port=0"]),
    run("kwok", [`--kubeconfig=${config}`, "--manage-all-nodes=true", "--node-lease-duration-seconds=40"]),
  ];
  return async () => {
    for (const child of children) child.kill("SIGKILL");
  };
}
