import type { TypeDescriptions } from "./type-descriptions.js";

export const connectOptionTypes: TypeDescriptions = {
  PodLogOptions: {
    fields: {
      container: "The container. Default: the only one.",
      follow: "Goes on with what is written later.",
      insecureSkipTLSVerifyBackend: "Does not check who the node is.",
      limitBytes: "The most bytes.",
      previous: "Of the container that ran before.",
      sinceSeconds: "Only lines of the last so many seconds.",
      tailLines: "Only so many lines of the end.",
      timestamps: "Begins each line with its time.",
    },
  },
  PodExecOptions: {
    fields: {
      command: "The command and its arguments, each as a value.",
      container: "The container. Default: the only one.",
      stderr: "Sends standard error.",
      stdin: "Takes standard input.",
      stdout: "Sends standard output.",
      tty: "Gives the command a terminal.",
    },
  },
  PodAttachOptions: {
    fields: {
      container: "The container. Default: the only one.",
      stderr: "Sends standard error.",
      stdin: "Takes standard input.",
      stdout: "Sends standard output.",
      tty: "The container has a terminal.",
    },
  },
  PodPortForwardOptions: {
    fields: {
      ports: "The ports.",
    },
  },
  PodProxyOptions: {
    fields: {
      path: "The path to ask the pod for.",
    },
  },
  NodeProxyOptions: {
    fields: {
      path: "The path to ask the node for.",
    },
  },
  ServiceProxyOptions: {
    fields: {
      path: "The path to ask the service for.",
    },
  },
};
