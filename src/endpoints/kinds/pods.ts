import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Binding } from "../../apis/gen/core-v1.js";
import type { Eviction } from "../../apis/gen/policy-v1.js";
import type { ConnectHandler } from "../connect/connect-handler.js";
import { withCreatePermission } from "../connect/create-permission.js";
import { readPodLog } from "../connect/pod-log.js";
import { containerStreams, podPorts } from "../connect/pod-streams.js";
import { podProxy } from "../connect/proxy-targets.js";
import { bindPod } from "../operations/binding.js";
import { evictPod } from "../operations/eviction.js";
import type { OperationHandler } from "../resource/operation.js";
import type { KindBehaviour, KindParts } from "./kind-behaviour.js";
import { proxying } from "./proxying.js";

export const pods: KindBehaviour = {
  group: "",
  resource: "pods",
  operations: (parts) => ({ "binding/create": binding(parts), "eviction/create": eviction(parts) }),
  connections: (parts) => {
    const { builtin, agents, admission, podLogs, authorizer, level, isEnabled } = parts;
    const ofPods = () => builtin("pods");
    const streams = {
      pods: ofPods,
      agents,
      admission,
      translates: {
        containers: isEnabled("TranslateStreamCloseWebsocketRequests"),
        ports: isEnabled("PortForwardWebsockets"),
      },
      leavesToAgents: isEnabled("ExtendWebSocketsToNodeAgent"),
    };
    const needsCreate = isEnabled("AuthorizePodWebsocketUpgradeCreatePermission");
    const both = (name: string, handler: ConnectHandler): Record<string, ConnectHandler> =>
      bothMethods(name, needsCreate ? withCreatePermission(authorizer, handler) : handler);
    return {
      "log/get": readPodLog({
        pods: ofPods,
        agents,
        observer: podLogs,
        takesStream: isAtLeast(level, "1.32") ? isEnabled("PodLogsQuerySplitStreams") : undefined,
      }),
      ...both("exec", containerStreams(streams, "exec")),
      ...both("attach", containerStreams(streams, "attach")),
      ...both("portforward", podPorts(streams)),
      proxy: podProxy(proxying(parts)),
    };
  },
};

/** The older way to bind a pod to a node. */
export const bindings: KindBehaviour = {
  group: "",
  resource: "bindings",
  operations: (parts) => ({ create: binding(parts) }),
};

function binding({ builtin, schemas, settings, admission, level, isEnabled }: KindParts): OperationHandler {
  return bindPod({
    pods: () => builtin("pods"),
    codec: schemas.codec<Binding>("core/v1.Binding"),
    settings,
    admission,
    level,
    copiesLabels: isEnabled("PodTopologyLabelsAdmission"),
    clearsNominatedNode: isEnabled("ClearingNominatedNodeNameAfterBinding"),
  });
}

function eviction(parts: KindParts): OperationHandler {
  const { builtin, naming, schemas, settings, admission, level, isEnabled } = parts;
  return evictPod({
    pods: () => builtin("pods"),
    budgets: () => builtin("poddisruptionbudgets.policy"),
    codec: schemas.codec<Eviction>("policy/v1.Eviction"),
    settings,
    admission,
    level,
    fieldManager: naming.commandName,
    tellsDisruption: isEnabled("PodDisruptionConditions"),
  });
}

/** WebSockets are opened by GET, other upgrades by POST. */
function bothMethods(name: string, handler: ConnectHandler): Record<string, ConnectHandler> {
  return { [`${name}/get`]: handler, [`${name}/create`]: handler };
}
