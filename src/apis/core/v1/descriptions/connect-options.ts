import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

export const connectOptionDescriptions: TypeDescriptions = {
  PodLogOptions: {
    about: "Which part of a container's log is read, as parameters of the query.",
    fields: {
      container: "Container whose log is read. May be left out when the pod has only one.",
      follow: "Keeps the answer open and sends new lines as they are written. Default: false.",
      insecureSkipTLSVerifyBackend:
        "Skips the check of the node's serving certificate, so the log may come from an impostor. Default: false.",
      limitBytes: "Ends the answer after this many bytes, possibly within a line. At least 1.",
      previous: "Reads the log of the container's run before its last restart. Default: false.",
      sinceSeconds: "Only lines written in the last so many seconds, at least 1. Excludes sinceTime.",
      sinceTime: "Only lines written at or after this time (RFC 3339). Excludes sinceSeconds.",
      tailLines: "Only this many lines from the end of the log. Default: all of it.",
      timestamps: "Begins each line with the time it was written (RFC 3339). Default: false.",
      stream: "Which output is returned: All, Stdout or Stderr. Default: All.",
    },
  },
  PodExecOptions: {
    about: "A command to run in a container, and the streams to connect to it.",
    fields: {
      command: "Program and arguments, one value each; no shell interprets them.",
      container: "Container to run the command in. May be left out when the pod has only one.",
      stderr: "Connects the command's standard error. Default: false.",
      stdin: "Connects the command's standard input. Default: false.",
      stdout: "Connects the command's standard output. Default: false.",
      tty: "Runs the command in a terminal, which merges standard error into output. Default: false.",
    },
  },
  PodAttachOptions: {
    about: "The streams of a running container's main process to connect to.",
    fields: {
      container: "Container to attach to. May be left out when the pod has only one.",
      stderr: "Connects the process's standard error. Not with tty, which merges it into output.",
      stdin: "Connects the process's standard input. Default: false.",
      stdout: "Connects the process's standard output.",
      tty: "Treats the streams as a terminal; the container must have one. Default: false.",
    },
  },
  PodPortForwardOptions: {
    about: "The ports of a pod to forward connections to.",
    fields: { ports: "Port numbers of the pod; required when WebSockets are used." },
  },
  PodProxyOptions: {
    about: "A request to be passed on to a pod.",
    fields: { path: "Path of the URL that the pod is asked for." },
  },
  NodeProxyOptions: {
    about: "A request to be passed on to the agent of a node.",
    fields: { path: "Path of the URL that the node's agent is asked for." },
  },
  ServiceProxyOptions: {
    about: "A request to be passed on to a backend of a service.",
    fields: { path: "Path of the URL that the service is asked for, with any query." },
  },
};
