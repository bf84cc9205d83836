import type { TypeDescriptions } from "./type-descriptions.js";

export const probeTypes: TypeDescriptions = {
  Probe: {
    about: "A check of a container that is repeated.",
    fields: {
      exec: "Runs a command; it succeeds with exit status 0.",
      failureThreshold: "Failures in a row that count. Default: 3.",
      grpc: "Asks a gRPC health service.",
      httpGet: "Sends a request; it succeeds with a status from 200 to 399.",
      initialDelaySeconds: "Seconds after the start before the first check.",
      periodSeconds: "Seconds between checks. Default: 10.",
      successThreshold: "Successes in a row that count. Default: 1.",
      tcpSocket: "Opens a connection; it succeeds when that does.",
      terminationGracePeriodSeconds: "Seconds between stop and kill when this check failed.",
      timeoutSeconds: "Seconds that a check may take. Default: 1.",
    },
  },
  ProbeHandler: {
    about: "What a check does; exactly one is set.",
  },
  Lifecycle: {
    about: "What is done after a container starts and before it stops.",
  },
  LifecycleHandler: {
    about: "One thing to do in a container's life.",
  },
  ExecAction: {
    about: "Runs a command in the container.",
  },
  HTTPGetAction: {
    about: "Sends an HTTP GET request.",
    fields: {
      host: "Default: the pod's address.",
      httpHeaders: "Headers of the request.",
      path: "Path of the request.",
      port: "Number or name of the port.",
      scheme: "HTTP or HTTPS.",
    },
  },
  HTTPHeader: {
    about: "A header of an HTTP request.",
  },
  TCPSocketAction: {
    about: "Opens a TCP connection.",
  },
  GRPCAction: {
    about: "Calls the health check of a gRPC service.",
  },
};
