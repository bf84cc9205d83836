import type { AdmissionChain } from "../../admission/admission-chain.js";
import type { JsonObject } from "../../apimachinery/json-value.js";
import { badRequest, pathNotFound } from "../../apimachinery/status.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import type { ApiRequest } from "../api-request.js";
import { queryFlag, queryText } from "../query-options.js";
import { admitConnect } from "./admit-connect.js";
import type { ConnectHandler } from "./connect-handler.js";
import type { ConnectResult } from "./connect-result.js";
import { chooseContainer } from "./container-choice.js";
import { type NodeAgentSettings, nodeAgentTarget } from "./node-agent.js";

export interface PodStreamParts {
  readonly pods: () => ResourceRegistry<Pod>;
  readonly agents: NodeAgentSettings;
  readonly admission: AdmissionChain;
}

const portMax = 65_535;

/** A pod's `exec` and `attach`: standard streams of a process in a container. */
export function containerStreams(parts: PodStreamParts, kind: "exec" | "attach"): ConnectHandler {
  return async (request) => {
    const { query } = request;
    const pod = await admitted(parts, request, kind === "exec" ? "PodExecOptions" : "PodAttachOptions", {
      stdin: queryFlag(query, "stdin"),
      stdout: queryFlag(query, "stdout"),
      stderr: queryFlag(query, "stderr"),
      tty: queryFlag(query, "tty"),
      container: queryText(query, "container"),
      ...(kind === "exec" && { command: query.getAll("command") }),
    });
    const container = chooseContainer(pod, queryText(query, "container"));
    return await stream(parts, pod, `/${kind}/${podPath(pod)}/${container}`, streamParameters(kind, query));
  };
}

/** A pod's `portforward`: connections to its ports. */
export function podPorts(parts: PodStreamParts): ConnectHandler {
  return async (request) => {
    const ports = request.query.getAll("ports").flatMap((text) => text.split(",").map(portOf));
    const pod = await admitted(parts, request, "PodPortForwardOptions", { ports });
    const parameters = new URLSearchParams();
    for (const port of ports) parameters.append("port", String(port));
    return await stream(parts, pod, `/portForward/${podPath(pod)}`, parameters);
  };
}

async function admitted(
  parts: PodStreamParts,
  request: ApiRequest,
  kind: string,
  options: JsonObject,
): Promise<Pod> {
  const { info } = request;
  if (info.parts.length > 3) throw pathNotFound();
  await admitConnect(parts.admission, request, kind, options);
  const stored = await parts.pods().get(info.namespace, info.name, { kind: "any" });
  return stored.decode();
}

async function stream(
  parts: PodStreamParts,
  pod: Pod,
  path: string,
  parameters: URLSearchParams,
): Promise<ConnectResult> {
  const nodeName = pod.spec.nodeName ?? "";
  if (nodeName === "") throw badRequest(`pod ${pod.metadata.name ?? ""} does not have a host assigned`);
  const target = await nodeAgentTarget(parts.agents, nodeName);
  const query = parameters.size === 0 ? "" : `?${parameters}`;
  return { kind: "connect", mode: "stream", target, path: `${path}${query}` };
}

/** The agent's names for the options, which differ from the API's. */
function streamParameters(kind: "exec" | "attach", query: QueryParameters): URLSearchParams {
  const parameters = new URLSearchParams();
  const names = [
    ["stdin", "input"],
    ["stdout", "output"],
    ["stderr", "error"],
    ["tty", "tty"],
  ] as const;
  for (const [asked, told] of names) if (queryFlag(query, asked)) parameters.set(told, "1");
  if (kind === "exec") for (const command of query.getAll("command")) parameters.append("command", command);
  parameters.sort();
  return parameters;
}

function podPath({ metadata }: Pod): string {
  return `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= portMax) return port;
  throw badRequest(`${JSON.stringify(text)} is no port: must be between 1 and ${portMax}, inclusive`);
}
