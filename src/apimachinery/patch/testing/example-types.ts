import type { MessageDeclaration } from "../../schema/declaration.js";
import { LinkedMessage, type LinkScope } from "../../schema/link.js";
import type { MessageSchema } from "../../schema/message-schema.js";

/** For tests: the message `name` from the given declarations, with `Time` and the other special types included. */
export function linkExample(
  declarations: Readonly<Record<string, MessageDeclaration>>,
  name: string,
): MessageSchema {
  const linked = new Map<string, MessageSchema>();
  const scope: LinkScope = {
    fieldName: (neutral) => neutral,
    message: (wanted) => {
      const declaration = declarations[wanted];
      if (declaration === undefined) throw new Error(`no example type ${wanted}`);
      const message = linked.get(wanted) ?? new LinkedMessage(wanted, declaration, scope);
      linked.set(wanted, message);
      return message;
    },
  };
  return scope.message(name);
}

/** A small kind with every way of merging, shaped like a workload's pod template. */
export const exampleDeclarations: Readonly<Record<string, MessageDeclaration>> = {
  "example/v1.Workload": {
    kind: "Workload",
    fields: {
      metadata: { number: 1, type: "example/v1.Meta" },
      spec: { number: 2, type: "example/v1.Spec" },
      status: { number: 3, type: "example/v1.Status" },
    },
  },
  "example/v1.Meta": {
    fields: {
      name: { number: 1, type: "string", omitempty: true },
      namespace: { number: 2, type: "string", omitempty: true },
      uid: { number: 3, type: "string", omitempty: true },
      resourceVersion: { number: 4, type: "string", omitempty: true },
      generation: { number: 5, type: "int64", omitempty: true },
      creationTimestamp: { number: 6, type: "Time" },
      labels: { number: 7, type: "string", map: true, omitempty: true },
      annotations: { number: 8, type: "string", map: true, omitempty: true },
      finalizers: {
        number: 9,
        type: "string",
        list: true,
        omitempty: true,
        patchStrategy: "merge",
        listType: "set",
      },
      managedFields: { number: 10, type: "any", list: true, omitempty: true },
      ownerReferences: {
        number: 11,
        type: "example/v1.Owner",
        list: true,
        omitempty: true,
        patchStrategy: "merge",
        patchMergeKey: "uid",
      },
    },
  },
  "example/v1.Owner": {
    fields: { uid: { number: 1, type: "string" }, name: { number: 2, type: "string" } },
  },
  "example/v1.Spec": {
    fields: {
      replicas: { number: 1, type: "int32", pointer: true, omitempty: true },
      selector: { number: 2, type: "example/v1.Selector", pointer: true, omitempty: true },
      strategy: { number: 3, type: "example/v1.Strategy", patchStrategy: "retainKeys" },
      containers: {
        number: 4,
        type: "example/v1.Container",
        list: true,
        patchStrategy: "merge",
        patchMergeKey: "name",
      },
      args: { number: 5, type: "string", list: true, omitempty: true },
      extra: { number: 6, type: "JSON", omitempty: true },
      weights: { number: 7, type: "int32", map: true, omitempty: true, mapType: "atomic" },
      numbers: { number: 8, type: "int64", list: true, omitempty: true, listType: "set" },
    },
  },
  "example/v1.Selector": {
    structType: "atomic",
    fields: { matchLabels: { number: 1, type: "string", map: true, omitempty: true } },
  },
  "example/v1.Strategy": {
    fields: {
      type: { number: 1, type: "string", omitempty: true },
      rollingUpdate: { number: 2, type: "example/v1.RollingUpdate", pointer: true, omitempty: true },
    },
  },
  "example/v1.RollingUpdate": {
    fields: { maxSurge: { number: 1, type: "IntOrString", pointer: true, omitempty: true } },
  },
  "example/v1.Container": {
    fields: {
      name: { number: 1, type: "string" },
      image: { number: 2, type: "string", omitempty: true },
      command: { number: 3, type: "string", list: true, omitempty: true },
      ports: {
        number: 4,
        type: "example/v1.Port",
        list: true,
        omitempty: true,
        patchStrategy: "merge",
        patchMergeKey: "containerPort",
        listType: "map",
        listMapKeys: ["containerPort", "protocol"],
      },
      env: {
        number: 5,
        type: "example/v1.Env",
        list: true,
        omitempty: true,
        patchStrategy: "merge",
        patchMergeKey: "name",
      },
      resources: { number: 6, type: "example/v1.Resources" },
    },
  },
  "example/v1.Port": {
    fields: {
      name: { number: 1, type: "string", omitempty: true },
      containerPort: { number: 2, type: "int32" },
      protocol: { number: 3, type: "string", omitempty: true, default: "TCP" },
    },
  },
  "example/v1.Env": {
    fields: { name: { number: 1, type: "string" }, value: { number: 2, type: "string", omitempty: true } },
  },
  "example/v1.Resources": {
    fields: { limits: { number: 1, type: "Quantity", map: true, omitempty: true } },
  },
  "example/v1.Status": {
    fields: {
      replicas: { number: 1, type: "int32", omitempty: true },
      conditions: {
        number: 2,
        type: "example/v1.Condition",
        list: true,
        omitempty: true,
        patchStrategy: "merge",
        patchMergeKey: "type",
      },
    },
  },
  "example/v1.Condition": {
    fields: { type: { number: 1, type: "string" }, status: { number: 2, type: "string" } },
  },
};
