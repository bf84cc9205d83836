import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

const host = "Host to connect to. Default: the pod's address.";
const port = "Port of the container: a number from 1 to 65535, or the name of one of its ports.";

const actions = {
  exec: "Runs a command in the container; exit status 0 is success.",
  httpGet: "Sends an HTTP request; a status from 200 to 399 is success.",
  tcpSocket: "Opens a TCP connection to a port; that it opens is success.",
};

export const probeDescriptions: TypeDescriptions = {
  Probe: {
    about:
      "A check of a container that is repeated. Exactly one of exec, grpc, httpGet and tcpSocket is set.",
    fields: {
      ...actions,
      failureThreshold: "Failures in a row after which the probe counts as failed. At least 1; default: 3.",
      grpc: "Asks a gRPC health service; the answer SERVING is success.",
      initialDelaySeconds: "Seconds between the start of the container and the first check. Default: 0.",
      periodSeconds: "Seconds from one check to the next. At least 1; default: 10.",
      successThreshold:
        "Successes in a row after which a failed probe counts as passed. Default: 1, the only value for liveness and startup.",
      terminationGracePeriodSeconds:
        "Replaces the pod's grace period when this probe stops the container; not for readiness. Needs the feature gate ProbeTerminationGracePeriod.",
      timeoutSeconds: "Seconds after which a check without an answer has failed. At least 1; default: 1.",
    },
  },
  Lifecycle: {
    about: "Actions of the node's agent when a container starts and stops.",
    fields: {
      postStart:
        "Done right after the container is made, alongside its program. A failure ends the container; the restart policy applies.",
      preStop:
        "Done before the container is asked to stop, not after a crash. The grace period runs meanwhile.",
      stopSignal:
        "Signal that stops the container. Needs spec.os.name. Default: that of the image, else SIGTERM.",
    },
  },
  LifecycleHandler: {
    about: "One action in a container's life; exactly one is set.",
    fields: {
      ...actions,
      tcpSocket: "Not supported as an action; fails when it is tried.",
      sleep: "Waits before the container is stopped.",
    },
  },
  ExecAction: {
    about: "A command that is run in the container.",
    fields: {
      command:
        "Program and arguments, started in the container's root directory without a shell; exit status 0 is success.",
    },
  },
  HTTPGetAction: {
    about: "An HTTP GET request.",
    fields: {
      host: `${host} A header Host may be the better choice.`,
      httpHeaders: "Headers of the request; a name may come more than once.",
      path: "Path of the request. Default: /.",
      port,
      scheme: "HTTP or HTTPS, without a check of the certificate. Default: HTTP.",
    },
  },
  HTTPHeader: {
    about: "A header of an HTTP request.",
    fields: { name: "Name of the header.", value: "Value of the header." },
  },
  TCPSocketAction: {
    about: "A TCP connection that is opened.",
    fields: { host, port },
  },
  GRPCAction: {
    about: "A call of the health check of a gRPC service.",
    fields: {
      port: "Port of the service as a number, 1 to 65535.",
      service:
        "Service that is asked after, by the health checking protocol. Default: empty, the server as a whole.",
    },
  },
  SleepAction: {
    about: "A pause.",
    fields: {
      seconds: "How many seconds it lasts.",
    },
  },
};
