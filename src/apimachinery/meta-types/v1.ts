import type { MessageDeclaration } from "../schema/declaration.js";
import { typePackage } from "../schema/type-package.js";

export const metaV1Types = typePackage("meta/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    GroupResource: {
      fields: {
        group: { number: 1, type: "string" },
        resource: { number: 2, type: "string" },
      },
    },
    GroupVersionResource: {
      fields: {
        group: { number: 1, type: "string" },
        version: { number: 2, type: "string" },
        resource: { number: 3, type: "string" },
      },
    },
    GroupKind: {
      fields: {
        group: { number: 1, type: "string" },
        kind: { number: 2, type: "string" },
      },
    },
    GroupVersionKind: {
      fields: {
        group: { number: 1, type: "string" },
        version: { number: 2, type: "string" },
        kind: { number: 3, type: "string" },
      },
    },
    GroupVersion: {
      fields: {
        group: { number: 1, type: "string" },
        version: { number: 2, type: "string" },
      },
    },
    Timestamp: {
      fields: {
        seconds: { number: 1, type: "int64" },
        nanos: { number: 2, type: "int32" },
      },
    },
    TypeMeta: {
      fields: {
        kind: { number: 1, type: "string", omitempty: true, optional: true },
        apiVersion: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    ListMeta: {
      fields: {
        selfLink: { number: 1, type: "string", omitempty: true, optional: true },
        resourceVersion: { number: 2, type: "string", omitempty: true, optional: true },
        continue: { number: 3, type: "string", omitempty: true },
        remainingItemCount: { number: 4, type: "int64", pointer: true, omitempty: true, optional: true },
        shardInfo: {
          number: 5,
          type: "meta/v1.ShardInfo",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "ShardedListAndWatch",
          since: "1.36",
        },
      },
    },
    ObjectMeta: {
      fields: {
        name: { number: 1, type: "string", omitempty: true, optional: true },
        generateName: { number: 2, type: "string", omitempty: true, optional: true },
        namespace: { number: 3, type: "string", omitempty: true, optional: true },
        selfLink: { number: 4, type: "string", omitempty: true, optional: true },
        uid: { number: 5, type: "string", omitempty: true, optional: true, elementName: "types.UID" },
        resourceVersion: { number: 6, type: "string", omitempty: true, optional: true },
        generation: { number: 7, type: "int64", omitempty: true, optional: true },
        creationTimestamp: {
          number: 8,
          type: "Time",
          omitempty: true,
          omitzero: true,
          optional: true,
          before: { "1.34": { omitzero: undefined } },
        },
        deletionTimestamp: { number: 9, type: "Time", pointer: true, omitempty: true, optional: true },
        deletionGracePeriodSeconds: {
          number: 10,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        labels: { number: 11, type: "string", map: true, omitempty: true, optional: true },
        annotations: { number: 12, type: "string", map: true, omitempty: true, optional: true },
        ownerReferences: {
          number: 13,
          type: "meta/v1.OwnerReference",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "uid",
          listType: "map",
          listMapKeys: ["uid"],
          before: { "1.30": { listType: undefined, listMapKeys: undefined } },
        },
        finalizers: {
          number: 14,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          listType: "set",
          before: { "1.30": { listType: undefined } },
        },
        clusterName: { number: 15, type: "string", omitempty: true, optional: true, until: "1.25" },
        managedFields: {
          number: 17,
          type: "meta/v1.ManagedFieldsEntry",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    OwnerReference: {
      structType: "atomic",
      fields: {
        apiVersion: { number: 5, type: "string" },
        kind: { number: 1, type: "string" },
        name: { number: 3, type: "string" },
        uid: { number: 4, type: "string", elementName: "types.UID" },
        controller: { number: 6, type: "bool", pointer: true, omitempty: true, optional: true },
        blockOwnerDeletion: { number: 7, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    ListOptions: {
      kind: "ListOptions",
      fields: {
        labelSelector: { number: 1, type: "string", omitempty: true, optional: true },
        fieldSelector: { number: 2, type: "string", omitempty: true, optional: true },
        watch: { number: 3, type: "bool", omitempty: true, optional: true },
        allowWatchBookmarks: { number: 9, type: "bool", omitempty: true, optional: true },
        resourceVersion: { number: 4, type: "string", omitempty: true, optional: true },
        resourceVersionMatch: {
          number: 10,
          type: "string",
          omitempty: true,
          optional: true,
          elementName: "v1.ResourceVersionMatch",
        },
        timeoutSeconds: { number: 5, type: "int64", pointer: true, omitempty: true, optional: true },
        limit: { number: 7, type: "int64", omitempty: true },
        continue: { number: 8, type: "string", omitempty: true },
        sendInitialEvents: {
          number: 11,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.27",
        },
        shardSelector: {
          number: 15,
          type: "string",
          omitempty: true,
          optional: true,
          featureGate: "ShardedListAndWatch",
          since: "1.36",
        },
      },
    },
    GetOptions: {
      kind: "GetOptions",
      fields: {
        resourceVersion: { number: 1, type: "string", omitempty: true, optional: true },
      },
    },
    DeleteOptions: {
      kind: "DeleteOptions",
      fields: {
        gracePeriodSeconds: { number: 1, type: "int64", pointer: true, omitempty: true, optional: true },
        preconditions: {
          number: 2,
          type: "meta/v1.Preconditions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        orphanDependents: { number: 3, type: "bool", pointer: true, omitempty: true, optional: true },
        propagationPolicy: {
          number: 4,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          elementName: "v1.DeletionPropagation",
        },
        dryRun: {
          number: 5,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        ignoreStoreReadErrorWithClusterBreakingPotential: {
          number: 6,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.32",
        },
      },
    },
    CreateOptions: {
      kind: "CreateOptions",
      fields: {
        dryRun: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        fieldManager: { number: 3, type: "string", omitempty: true, optional: true },
        fieldValidation: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    PatchOptions: {
      kind: "PatchOptions",
      fields: {
        dryRun: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        force: { number: 2, type: "bool", pointer: true, omitempty: true, optional: true },
        fieldManager: { number: 3, type: "string", omitempty: true, optional: true },
        fieldValidation: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    ApplyOptions: {
      kind: "ApplyOptions",
      fields: {
        dryRun: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        force: { number: 2, type: "bool" },
        fieldManager: { number: 3, type: "string" },
      },
    },
    UpdateOptions: {
      kind: "UpdateOptions",
      fields: {
        dryRun: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        fieldManager: { number: 2, type: "string", omitempty: true, optional: true },
        fieldValidation: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    Preconditions: {
      fields: {
        uid: {
          number: 1,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          elementName: "types.UID",
        },
        resourceVersion: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    Status: {
      kind: "Status",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        status: { number: 2, type: "string", omitempty: true, optional: true },
        message: { number: 3, type: "string", omitempty: true, optional: true },
        reason: {
          number: 4,
          type: "string",
          omitempty: true,
          optional: true,
          elementName: "v1.StatusReason",
        },
        details: {
          number: 5,
          type: "meta/v1.StatusDetails",
          pointer: true,
          omitempty: true,
          optional: true,
          before: { "1.35": { listType: "atomic" }, "1.30": { listType: undefined } },
        },
        code: { number: 6, type: "int32", omitempty: true, optional: true },
      },
    },
    StatusDetails: {
      fields: {
        name: { number: 1, type: "string", omitempty: true, optional: true },
        group: { number: 2, type: "string", omitempty: true, optional: true },
        kind: { number: 3, type: "string", omitempty: true, optional: true },
        uid: { number: 6, type: "string", omitempty: true, optional: true, elementName: "types.UID" },
        causes: {
          number: 4,
          type: "meta/v1.StatusCause",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        retryAfterSeconds: { number: 5, type: "int32", omitempty: true, optional: true },
      },
    },
    StatusCause: {
      fields: {
        reason: { number: 1, type: "string", omitempty: true, optional: true, elementName: "v1.CauseType" },
        message: { number: 2, type: "string", omitempty: true, optional: true },
        field: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    List: {
      kind: "List",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "RawExtension", list: true },
      },
    },
    APIVersions: {
      kind: "APIVersions",
      fields: {
        versions: {
          number: 1,
          type: "string",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        serverAddressByClientCIDRs: {
          number: 2,
          type: "meta/v1.ServerAddressByClientCIDR",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    APIGroupList: {
      kind: "APIGroupList",
      fields: {
        groups: {
          number: 1,
          type: "meta/v1.APIGroup",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    APIGroup: {
      kind: "APIGroup",
      fields: {
        name: { number: 1, type: "string" },
        versions: {
          number: 2,
          type: "meta/v1.GroupVersionForDiscovery",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        preferredVersion: {
          number: 3,
          type: "meta/v1.GroupVersionForDiscovery",
          omitempty: true,
          optional: true,
        },
        serverAddressByClientCIDRs: {
          number: 4,
          type: "meta/v1.ServerAddressByClientCIDR",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    ServerAddressByClientCIDR: {
      fields: {
        clientCIDR: { number: 1, type: "string" },
        serverAddress: { number: 2, type: "string" },
      },
    },
    GroupVersionForDiscovery: {
      fields: {
        groupVersion: { number: 1, type: "string" },
        version: { number: 2, type: "string" },
      },
    },
    APIResource: {
      fields: {
        name: { number: 1, type: "string" },
        singularName: { number: 6, type: "string" },
        namespaced: { number: 2, type: "bool" },
        group: { number: 8, type: "string", omitempty: true },
        version: { number: 9, type: "string", omitempty: true },
        kind: { number: 3, type: "string" },
        verbs: { number: 4, type: "StringList", elementName: "v1.Verbs" },
        shortNames: {
          number: 5,
          type: "string",
          list: true,
          omitempty: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        categories: {
          number: 7,
          type: "string",
          list: true,
          omitempty: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        storageVersionHash: { number: 10, type: "string", omitempty: true, optional: true },
      },
    },
    APIResourceList: {
      kind: "APIResourceList",
      fields: {
        groupVersion: { number: 1, type: "string" },
        resources: {
          number: 2,
          type: "meta/v1.APIResource",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    RootPaths: {
      fields: {
        paths: {
          number: 1,
          type: "string",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    Patch: {
      fields: {},
    },
    LabelSelector: {
      structType: "atomic",
      fields: {
        matchLabels: { number: 1, type: "string", map: true, omitempty: true, optional: true },
        matchExpressions: {
          number: 2,
          type: "meta/v1.LabelSelectorRequirement",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    LabelSelectorRequirement: {
      fields: {
        key: {
          number: 1,
          type: "string",
          before: { "1.28": { patchStrategy: "merge", patchMergeKey: "key" } },
        },
        operator: { number: 2, type: "string", elementName: "v1.LabelSelectorOperator" },
        values: {
          number: 3,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    ManagedFieldsEntry: {
      fields: {
        manager: { number: 1, type: "string", omitempty: true },
        operation: {
          number: 2,
          type: "string",
          omitempty: true,
          elementName: "v1.ManagedFieldsOperationType",
        },
        apiVersion: { number: 3, type: "string", omitempty: true },
        time: { number: 4, type: "Time", pointer: true, omitempty: true, optional: true },
        fieldsType: { number: 6, type: "string", omitempty: true },
        fieldsV1: { number: 7, type: "FieldsV1", pointer: true, omitempty: true, optional: true },
        subresource: { number: 8, type: "string", omitempty: true },
      },
    },
    TableOptions: {
      kind: "TableOptions",
      fields: {
        includeObject: { number: 1, type: "string", omitempty: true, elementName: "v1.IncludeObjectPolicy" },
      },
    },
    PartialObjectMetadata: {
      kind: "PartialObjectMetadata",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
      },
    },
    PartialObjectMetadataList: {
      kind: "PartialObjectMetadataList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "meta/v1.PartialObjectMetadata", list: true },
      },
    },
    Condition: {
      fields: {
        type: { number: 1, type: "string", rules: { format: "qualifiedName" } },
        status: {
          number: 2,
          type: "string",
          elementName: "v1.ConditionStatus",
          rules: { supported: ["False", "True", "Unknown"] },
        },
        observedGeneration: {
          number: 3,
          type: "int64",
          omitempty: true,
          optional: true,
          rules: { min: 0, range: "must be greater than or equal to zero" },
        },
        lastTransitionTime: {
          number: 4,
          type: "Time",
          rules: { required: { until: "1.34", detail: "must be set" } },
        },
        reason: { number: 5, type: "string", rules: { required: { until: "1.34", detail: "must be set" } } },
        message: { number: 6, type: "string", rules: { maxBytes: 32 * 1024 } },
      },
    },
    WatchEvent: {
      fields: {
        type: { number: 1, type: "string" },
        object: { number: 2, type: "RawExtension" },
      },
    },
    Table: {
      kind: "Table",
      protobuf: false,
      fields: {
        metadata: { number: 0, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        columnDefinitions: {
          number: 0,
          type: "meta/v1.TableColumnDefinition",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        rows: {
          number: 0,
          type: "meta/v1.TableRow",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    TableColumnDefinition: {
      protobuf: false,
      fields: {
        name: { number: 0, type: "string" },
        type: { number: 0, type: "string" },
        format: { number: 0, type: "string" },
        description: { number: 0, type: "string" },
        priority: { number: 0, type: "int32" },
      },
    },
    TableRow: {
      protobuf: false,
      fields: {
        cells: {
          number: 0,
          type: "any",
          list: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        conditions: {
          number: 0,
          type: "meta/v1.TableRowCondition",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        object: { number: 0, type: "RawExtension", omitempty: true, optional: true },
      },
    },
    TableRowCondition: {
      protobuf: false,
      fields: {
        type: { number: 0, type: "string" },
        status: { number: 0, type: "string" },
        reason: { number: 0, type: "string", omitempty: true, optional: true },
        message: { number: 0, type: "string", omitempty: true, optional: true },
      },
    },

    FieldSelectorRequirement: {
      fields: {
        key: { number: 1, type: "string", rules: { required: "must be specified" } },
        operator: { number: 2, type: "string" },
        values: {
          number: 3,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    ShardInfo: { fields: { selector: { number: 1, type: "string" } } },
  };
}
