import {
  badRequest,
  internal,
  invalidObject,
  pathNotFound,
  type StatusError,
} from "../../apimachinery/errors/status.js";
import { formatTime, parseTime, TimeParseError } from "../../apimachinery/values/time.js";
import { validatePodLogOptions } from "../../apis/core/pod/log-options-validation.js";
import type { Pod, PodLogOptions } from "../../apis/gen/core-v1.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import { queryFlag, queryInteger, queryText } from "../resource/query-options.js";
import type { ConnectHandler } from "./connect-handler.js";
import { chooseContainer } from "./container-choice.js";
import { genericServerError } from "./generic-server-error.js";
import { type NodeAgentSettings, podAgent } from "./node-agent.js";

/** Receives what happens to requests for logs. */
export interface PodLogObserver {
  /** `skipVerify`: the client accepts any certificate of the node's agent. */
  requested(skipVerify: boolean): void;
  /** The agent's certificate was not accepted. */
  distrusted(): void;
}

export interface PodLogParts {
  readonly pods: () => ResourceRegistry<Pod>;
  readonly agents: NodeAgentSettings;
  readonly observer: PodLogObserver;
  /** The gate PodLogsQuerySplitStreams: whether a client may ask for a single stream. Undefined at levels that ignore the parameter. */
  readonly takesStream: boolean | undefined;
}

/** GET of a pod's `log`, from the agent of its node. Source: Kubernetes' `LogLocation`. */
export function readPodLog({ pods, agents, observer, takesStream }: PodLogParts): ConnectHandler {
  return async ({ info, query }) => {
    if (info.parts.length > 3) throw pathNotFound();
    const options = { ...logOptions(query), ...(takesStream !== undefined && { stream: streamOf(query) }) };
    const skipVerify = options.insecureSkipTLSVerifyBackend === true;
    observer.requested(skipVerify);
    const errors = validatePodLogOptions(options, takesStream === true);
    if (errors.length > 0) throw invalidObject({ group: "", kind: "PodLogOptions" }, info.name, errors);
    const stored = await pods().get(info.namespace, info.name, { kind: "any" });
    const pod = stored.decode();
    const container = chooseContainer(pod, options.container ?? "");
    const nodeName = pod.spec.nodeName ?? "";
    if (nodeName === "") return { kind: "connect", mode: "nothing" };
    const { target } = await podAgent(agents, nodeName);
    const parameters = agentParameters(options);
    return {
      kind: "connect",
      mode: "download",
      target: skipVerify ? { ...target, tls: { verify: false } } : target,
      path: `/containerLogs/${info.namespace}/${info.name}/${container}${parameters}`,
      contentType: "text/plain",
      refusal: (code, text) => refusal(info.name, code, text),
      distrusted: () => observer.distrusted(),
    };
  };
}

function logOptions(query: QueryParameters): PodLogOptions {
  return {
    container: queryText(query, "container"),
    follow: queryFlag(query, "follow"),
    previous: queryFlag(query, "previous"),
    timestamps: queryFlag(query, "timestamps"),
    sinceSeconds: queryInteger(query, "sinceSeconds"),
    sinceTime: sinceTimeOf(queryText(query, "sinceTime")),
    tailLines: queryInteger(query, "tailLines"),
    limitBytes: queryInteger(query, "limitBytes"),
    insecureSkipTLSVerifyBackend: queryFlag(query, "insecureSkipTLSVerifyBackend"),
  };
}

/** Unset by default: the agent sends both streams. */
function streamOf(query: QueryParameters): string | undefined {
  return query.get("stream") ?? undefined;
}

/** In the agent's form: whole seconds, in UTC. */
function sinceTimeOf(text: string): string | undefined {
  if (text === "") return undefined;
  try {
    return formatTime(parseTime(text).seconds);
  } catch (error) {
    if (error instanceof TimeParseError) throw badRequest(error.message, error);
    throw error;
  }
}

function agentParameters(options: PodLogOptions): string {
  const parameters = new URLSearchParams();
  for (const name of ["follow", "previous", "timestamps"] as const) {
    if (options[name] === true) parameters.set(name, "true");
  }
  for (const name of ["sinceSeconds", "sinceTime", "tailLines", "limitBytes"] as const) {
    const value = options[name];
    if (value !== undefined) parameters.set(name, String(value));
  }
  const { stream } = options;
  if (stream !== undefined && stream !== "All") parameters.set("stream", stream);
  parameters.sort();
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** The agent's message about a container that it cannot read becomes the answer; other errors are mapped by status code. */
function refusal(name: string, code: number, text: string): StatusError {
  if (code === 500) return internal(text);
  if (code === 400) return badRequest(text);
  return genericServerError(code, { group: "", resource: "pods/log" }, name, text);
}
