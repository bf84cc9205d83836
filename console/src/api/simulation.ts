import { nameOf } from "../state/session.ts";
import { send } from "./request.ts";

/** Prefix of the annotations that the simulation reads from objects. */
const annotationPrefix = "simulation.orch.io/";

/** `ready`: the default, without an annotation or rule. */
export type NodeState = "ready" | "not-ready" | "gone";

/** `running`: the default, without an annotation or rule. */
export type PodBehaviour = "running" | "crashing" | "unready" | "ending";

const behaviours: Readonly<Record<PodBehaviour, Readonly<Record<string, string | null>>>> = {
  running: { "exit-code": null, readiness: null },
  crashing: { "exit-code": "1", readiness: null },
  unready: { "exit-code": null, readiness: "fail" },
  ending: { "exit-code": "0", readiness: null },
};

export async function setNodeState(name: string, state: NodeState): Promise<void> {
  await annotate(`/api/v1/nodes/${encodeURIComponent(name)}`, { state: state === "ready" ? null : state });
}

export async function setPodBehaviour(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  behaviour: PodBehaviour,
): Promise<void> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
  await annotate(path, behaviours[behaviour]);
}

export async function addNode(name: string): Promise<void> {
  const labels = { [`${nameOf("labelDomain")}/hostname`]: name };
  await create("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name, labels } });
}

export async function addPod(namespace: string): Promise<void> {
  await create(`/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { generateName: "pod-" },
    spec: { containers: [{ name: "app", image: "simulated" }] },
  });
}

async function annotate(path: string, values: Readonly<Record<string, string | null>>): Promise<void> {
  const annotations = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${annotationPrefix}${name}`, value]),
  );
  await send(path, {
    method: "PATCH",
    contentType: "application/merge-patch+json",
    body: JSON.stringify({ metadata: { annotations } }),
  });
}

async function create(path: string, object: object): Promise<void> {
  await send(path, { method: "POST", contentType: "application/json", body: JSON.stringify(object) });
}
