import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import { badRequest, pathNotFound, requestTooLarge } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import { queryFlag, queryText } from "../resource/query-options.js";
import { admitConnect } from "./admit-connect.js";
import type { ConnectHandler } from "./connect-handler.js";
import type { ConnectResult, StreamTranslationKind } from "./connect-result.js";
import { chooseContainer } from "./container-choice.js";
import { type NodeAgentSettings, podAgent } from "./node-agent.js";

export interface PodStreamParts {
  readonly pods: () => ResourceRegistry<Pod>;
  readonly agents: NodeAgentSettings;
  readonly admission: AdmissionChain;
  /** The gates for WebSocket clients, and whether node agents that support WebSockets get their connections untranslated. */
  readonly translates: { readonly containers: boolean; readonly ports: boolean };
  readonly leavesToAgents: boolean;
}

const portMax = 65_535;
/** Kubernetes is limited only by the length of its URLs. */
const portsMax = 1000;

/** A pod's `exec` and `attach`: standard streams of a process in a container. */
export function containerStreams(parts: PodStreamParts, kind: "exec" | "attach"): ConnectHandler {
  return async (request) => {
    const { query } = request;
    const flags = {
      stdin: queryFlag(query, "stdin"),
      stdout: queryFlag(query, "stdout"),
      stderr: queryFlag(query, "stderr"),
      tty: queryFlag(query, "tty"),
    };
    const pod = await admitted(parts, request, kind === "exec" ? "PodExecOptions" : "PodAttachOptions", {
      ...flags,
      container: queryText(query, "container"),
      ...(kind === "exec" && { command: query.getAll("command") }),
    });
    const container = chooseContainer(pod, queryText(query, "container"));
    const path = withQuery(`/${kind}/${podPath(pod)}/${container}`, streamParameters(kind, query));
    const translation = parts.translates.containers ? ({ kind: "containers", flags } as const) : undefined;
    return await stream(parts, pod, path, { translation, subresource: kind });
  };
}

/** A pod's `portforward`: connections to its ports. */
export function podPorts(parts: PodStreamParts): ConnectHandler {
  return async (request) => {
    const ports = request.query.getAll("ports").flatMap((text) => text.split(",", portsMax + 1).map(portOf));
    if (ports.length > portsMax) throw requestTooLarge(`more than ${portsMax} ports`);
    const pod = await admitted(parts, request, "PodPortForwardOptions", { ports });
    const parameters = ports.map((port) => `port=${port}`);
    const path = withQuery(`/portForward/${podPath(pod)}`, parameters);
    const translation = parts.translates.ports ? ({ kind: "ports" } as const) : undefined;
    return await stream(parts, pod, path, { translation, subresource: "portforward" });
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
  { translation, subresource }: { translation: StreamTranslationKind | undefined; subresource: string },
): Promise<ConnectResult> {
  const nodeName = pod.spec.nodeName ?? "";
  if (nodeName === "") throw badRequest(`pod ${pod.metadata.name ?? ""} does not have a host assigned`);
  const { target, takesWebSockets } = await podAgent(parts.agents, nodeName);
  const isLeft = parts.leavesToAgents && takesWebSockets;
  const told = translation !== undefined && { subresource, ...(!isLeft && { translation }) };
  return { kind: "connect", mode: "stream", target, path, ...told };
}

function withQuery(path: string, parameters: readonly string[]): string {
  return parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
}

/** Query parameters in the agent's names, which differ from the API's, in alphabetical order. */
function streamParameters(kind: "exec" | "attach", query: QueryParameters): string[] {
  const names = [
    ["stderr", "error"],
    ["stdin", "input"],
    ["stdout", "output"],
    ["tty", "tty"],
  ] as const;
  const commands = kind === "exec" ? query.getAll("command") : [];
  return [
    // `URLSearchParams` takes long to encode a megabyte.
    ...commands.map((command) => `command=${encodeURIComponent(command)}`),
    ...names.filter(([asked]) => queryFlag(query, asked)).map(([, told]) => `${told}=1`),
  ];
}

function podPath({ metadata }: Pod): string {
  return `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= portMax) return port;
  throw badRequest(`${JSON.stringify(text)} is no port: must be between 1 and ${portMax}, inclusive`);
}
