import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";
import { stopSignals } from "./stop-signals.js";

/** Probes and lifecycle hooks, and what they do. */
export function declareProbesTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    HTTPHeader: {
      fields: {
        name: { number: 1, type: "string", rules: { format: "httpHeaderName" } },
        value: { number: 2, type: "string" },
      },
    },
    HTTPGetAction: {
      fields: {
        path: { number: 1, type: "string", omitempty: true, optional: true, rules: { required: true } },
        port: { number: 2, type: "IntOrString", rules: { min: 1, max: 65_535, format: "portName" } },
        host: { number: 3, type: "string", omitempty: true, optional: true },
        scheme: {
          number: 4,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["HTTP", "HTTPS"],
          elementName: "v1.URIScheme",
        },
        httpHeaders: {
          number: 5,
          type: "core/v1.HTTPHeader",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    TCPSocketAction: {
      fields: {
        port: { number: 1, type: "IntOrString", rules: { min: 1, max: 65_535, format: "portName" } },
        host: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    GRPCAction: {
      fields: {
        port: { number: 1, type: "int32", rules: { min: 1, max: 65_535 } },
        service: { number: 2, type: "string", pointer: true, optional: true, default: "" },
      },
    },
    ExecAction: {
      fields: {
        command: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          rules: { required: true },
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    Probe: {
      fields: {
        handler: { number: 1, type: "core/v1.ProbeHandler", inline: true },
        initialDelaySeconds: { number: 2, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        timeoutSeconds: { number: 3, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        periodSeconds: { number: 4, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        successThreshold: { number: 5, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        failureThreshold: { number: 6, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        terminationGracePeriodSeconds: {
          number: 7,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 1 },
        },
      },
    },
    ProbeHandler: {
      fields: {
        exec: { number: 1, type: "core/v1.ExecAction", pointer: true, omitempty: true, optional: true },
        httpGet: { number: 2, type: "core/v1.HTTPGetAction", pointer: true, omitempty: true, optional: true },
        tcpSocket: {
          number: 3,
          type: "core/v1.TCPSocketAction",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        grpc: {
          number: 4,
          type: "core/v1.GRPCAction",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    LifecycleHandler: {
      fields: {
        exec: { number: 1, type: "core/v1.ExecAction", pointer: true, omitempty: true, optional: true },
        httpGet: { number: 2, type: "core/v1.HTTPGetAction", pointer: true, omitempty: true, optional: true },
        tcpSocket: {
          number: 3,
          type: "core/v1.TCPSocketAction",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        sleep: {
          number: 4,
          type: "core/v1.SleepAction",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.29",
        },
      },
    },
    Lifecycle: {
      fields: {
        postStart: {
          number: 1,
          type: "core/v1.LifecycleHandler",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        preStop: {
          number: 2,
          type: "core/v1.LifecycleHandler",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        stopSignal: {
          number: 3,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: stopSignals,
          since: "1.33",
          elementName: "v1.Signal",
        },
      },
    },

    SleepAction: { fields: { seconds: { number: 1, type: "int64" } } },
  };
}
