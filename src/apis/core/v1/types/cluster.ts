import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

/** Namespaces, references between objects, options of connections, and what remains. */
export function declareClusterTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    NamespaceSpec: {
      fields: {
        finalizers: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          elementName: "v1.FinalizerName",
        },
      },
    },
    NamespaceStatus: {
      fields: {
        phase: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Active", "Terminating"],
          elementName: "v1.NamespacePhase",
        },
        conditions: {
          number: 2,
          type: "core/v1.NamespaceCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
        },
      },
    },
    NamespaceCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.NamespaceConditionType" },
        status: { number: 2, type: "string", elementName: "v1.ConditionStatus" },
        lastTransitionTime: { number: 4, type: "Time", omitempty: true, optional: true },
        reason: { number: 5, type: "string", omitempty: true, optional: true },
        message: { number: 6, type: "string", omitempty: true, optional: true },
      },
    },
    Namespace: {
      kind: "Namespace",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "core/v1.NamespaceSpec", omitempty: true, optional: true },
        status: { number: 3, type: "core/v1.NamespaceStatus", omitempty: true, optional: true },
      },
    },
    NamespaceList: {
      kind: "NamespaceList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "core/v1.Namespace", list: true },
      },
    },
    PodLogOptions: {
      kind: "PodLogOptions",
      fields: {
        container: { number: 1, type: "string", omitempty: true, optional: true },
        follow: { number: 2, type: "bool", omitempty: true, optional: true },
        previous: { number: 3, type: "bool", omitempty: true, optional: true },
        sinceSeconds: { number: 4, type: "int64", pointer: true, omitempty: true, optional: true },
        sinceTime: { number: 5, type: "Time", pointer: true, omitempty: true, optional: true },
        timestamps: { number: 6, type: "bool", omitempty: true, optional: true },
        tailLines: { number: 7, type: "int64", pointer: true, omitempty: true, optional: true },
        limitBytes: { number: 8, type: "int64", pointer: true, omitempty: true, optional: true },
        insecureSkipTLSVerifyBackend: { number: 9, type: "bool", omitempty: true, optional: true },
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
        command: { number: 6, type: "string", list: true },
      },
    },
    PodPortForwardOptions: {
      kind: "PodPortForwardOptions",
      fields: {
        ports: { number: 1, type: "int32", list: true, omitempty: true, optional: true },
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
    ObjectReference: {
      structType: "atomic",
      fields: {
        kind: { number: 1, type: "string", omitempty: true, optional: true },
        namespace: { number: 2, type: "string", omitempty: true, optional: true },
        name: { number: 3, type: "string", omitempty: true, optional: true },
        uid: { number: 4, type: "string", omitempty: true, optional: true, elementName: "types.UID" },
        apiVersion: { number: 5, type: "string", omitempty: true, optional: true },
        resourceVersion: { number: 6, type: "string", omitempty: true, optional: true },
        fieldPath: { number: 7, type: "string", omitempty: true, optional: true },
      },
    },
    LocalObjectReference: {
      structType: "atomic",
      fields: {
        name: { number: 1, type: "string", omitempty: true, optional: true },
      },
    },
    TypedLocalObjectReference: {
      structType: "atomic",
      fields: {
        apiGroup: { number: 1, type: "string", pointer: true, optional: true },
        kind: { number: 2, type: "string" },
        name: { number: 3, type: "string" },
      },
    },
    SerializedReference: {
      kind: "SerializedReference",
      fields: {
        reference: { number: 1, type: "core/v1.ObjectReference", omitempty: true, optional: true },
      },
    },
    ComponentCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.ComponentConditionType" },
        status: { number: 2, type: "string", elementName: "v1.ConditionStatus" },
        message: { number: 3, type: "string", omitempty: true, optional: true },
        error: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    ComponentStatus: {
      kind: "ComponentStatus",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        conditions: {
          number: 2,
          type: "core/v1.ComponentCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
        },
      },
    },
    ComponentStatusList: {
      kind: "ComponentStatusList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "core/v1.ComponentStatus", list: true },
      },
    },
    RangeAllocation: {
      kind: "RangeAllocation",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        range: { number: 2, type: "string" },
        data: { number: 3, type: "bytes" },
      },
    },
    List: {
      kind: "List",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "RawExtension", list: true },
      },
    },
  };
}
