import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

/** The options of connect requests to pods, nodes and services. */
export function declareConnectOptionsTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    PodLogOptions: {
      kind: "PodLogOptions",
      fields: {
        container: { number: 1, type: "string", omitempty: true, optional: true },
        follow: { number: 2, type: "bool", omitempty: true, optional: true },
        previous: { number: 3, type: "bool", omitempty: true, optional: true },
        sinceSeconds: {
          number: 4,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 1 },
        },
        sinceTime: { number: 5, type: "Time", pointer: true, omitempty: true, optional: true },
        timestamps: { number: 6, type: "bool", omitempty: true, optional: true },
        tailLines: {
          number: 7,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        limitBytes: {
          number: 8,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 1 },
        },
        insecureSkipTLSVerifyBackend: { number: 9, type: "bool", omitempty: true, optional: true },
        stream: {
          number: 10,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "PodLogsQuerySplitStreams",
          since: "1.32",
          rules: { supported: ["All", "Stderr", "Stdout"] },
        },
      },
    },
    PodAttachOptions: {
      kind: "PodAttachOptions",
      fields: {
        stdin: { number: 1, type: "bool", omitempty: true, optional: true },
        stdout: { number: 2, type: "bool", omitempty: true, optional: true },
        stderr: { number: 3, type: "bool", omitempty: true, optional: true },
        tty: { number: 4, type: "bool", omitempty: true, optional: true },
        container: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    PodExecOptions: {
      kind: "PodExecOptions",
      fields: {
        stdin: { number: 1, type: "bool", omitempty: true, optional: true },
        stdout: { number: 2, type: "bool", omitempty: true, optional: true },
        stderr: { number: 3, type: "bool", omitempty: true, optional: true },
        tty: { number: 4, type: "bool", omitempty: true, optional: true },
        container: { number: 5, type: "string", omitempty: true, optional: true },
        command: {
          number: 6,
          type: "string",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    PodPortForwardOptions: {
      kind: "PodPortForwardOptions",
      fields: {
        ports: {
          number: 1,
          type: "int32",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    PodProxyOptions: {
      kind: "PodProxyOptions",
      fields: {
        path: { number: 1, type: "string", omitempty: true, optional: true },
      },
    },
    NodeProxyOptions: {
      kind: "NodeProxyOptions",
      fields: {
        path: { number: 1, type: "string", omitempty: true, optional: true },
      },
    },
    ServiceProxyOptions: {
      kind: "ServiceProxyOptions",
      fields: {
        path: { number: 1, type: "string", omitempty: true, optional: true },
      },
    },
  };
}
