import { type ApiAnswer, ApiClient } from "./api-client.js";
import { type ServerHere, startServerHere } from "./in-process-server.js";
import { type ServerProcess, startServer, type TestServer } from "./server-process.js";

/** A server and its administrator's client, for a test file. */
export interface Ground<Server extends TestServer = ServerProcess> {
  readonly server: Server;
  readonly api: ApiClient;
  dispose(): Promise<void>;
}

export type GroundHere = Ground<ServerHere>;

/** For tests that compare stored objects with requests: keeps admission from adding volumes to pods and taints to nodes. */
export const withoutAddedFields: readonly string[] = [
  "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
];

export async function openGround(args: readonly string[] = []): Promise<Ground> {
  return groundOf(await startServer({ args }));
}

/** The same in the test's own process. */
export async function openGroundHere(args: readonly string[] = []): Promise<GroundHere> {
  return groundOf(await startServerHere({ args }));
}

function groundOf<Server extends TestServer>(server: Server): Ground<Server> {
  const api = new ApiClient(server);
  return {
    server,
    api,
    async dispose() {
      await api.close();
      await server.dispose();
    },
  };
}

export const mergePatch = "application/merge-patch+json";
export const jsonPatch = "application/json-patch+json";
export const strategicPatch = "application/strategic-merge-patch+json";
export const applyPatch = "application/apply-patch+yaml";

export function deployment(name: string, changes: object = {}): object {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image: "nginx:1", ports: [{ containerPort: 80 }] }] },
      },
      ...changes,
    },
  };
}

export function pod(name: string, changes: object = {}, metadata: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...metadata },
    spec: { containers: [{ name: "main", image: "busybox" }], ...changes },
  };
}

/** `field: message` of each cause. */
export function causesOf(answer: ApiAnswer): string[] {
  const causes: readonly { field?: string; message: string }[] = answer.body?.details?.causes ?? [];
  return causes.map(({ field = "", message }) => `${field}: ${message}`);
}

/** Repeats a request until `done` holds, for a minute; returns the last answer either way. */
export async function until(
  ask: () => Promise<ApiAnswer>,
  done: (answer: ApiAnswer) => boolean,
): Promise<ApiAnswer> {
  const deadline = Date.now() + 60_000;
  let answer = await ask();
  while (!done(answer) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer = await ask();
  }
  return answer;
}

/** How many watches of a resource clients have open. */
export async function openWatches(api: ApiClient, resource: string): Promise<number> {
  const { text } = await api.get("/metrics");
  const line = new RegExp(
    `^apiserver_longrunning_requests\\{verb="WATCH",.*resource="${resource}",.*\\} (\\d+)$`,
    "gm",
  );
  return [...text.matchAll(line)].reduce((sum, [, count]) => sum + Number(count), 0);
}
