import type { TypeDescriptions } from "../schema/type-descriptions.js";
import { conditionFields } from "./condition-fields.js";

const selfLink = "Deprecated and no longer set.";

export const metaV1Descriptions: TypeDescriptions = {
  ObjectMeta: {
    about: "Metadata that every stored object has.",
    fields: {
      annotations:
        "Data for tools and people, as pairs of key and value; objects cannot be selected by it. 256 KiB at most.",
      clusterName: "Deprecated and ignored: the server clears it.",
      creationTimestamp:
        "CreationTimestamp is a timestamp of when the object was created. Set by the server; cannot be changed.",
      deletionGracePeriodSeconds:
        "Seconds that the object gets to end once deletion was asked for. Set by the server; may only be lowered.",
      deletionTimestamp:
        "When the object is to be gone, set by the server once deletion was asked for. It stays until finalizers is empty.",
      finalizers:
        "Tasks that must be done before a deleted object goes; who has done one removes it. While the object is being deleted none can be added.",
      generateName:
        "Prefix from which the server makes a unique name when name is empty. If the name is taken all the same, create again.",
      generation:
        "Number of the version of what is wanted, counted up when the spec changes. Set by the server.",
      labels: "Pairs of key and value by which objects are selected and grouped. Can be changed at any time.",
      managedFields: "Who has set which fields, for server-side apply. Kept by the server.",
      name: "Name, unique among objects of the kind in the namespace. Cannot be changed.",
      namespace:
        "Namespace in which the name is unique; empty for objects of the whole cluster. Cannot be changed.",
      ownerReferences:
        "Objects that this one belongs to, in the same namespace or of the whole cluster. When all are gone it is deleted.",
      resourceVersion:
        "Opaque mark of this state of the object. An update that gives it fails if the object has changed since.",
      selfLink,
      uid: "Id of the object, unique over time: an object created again has another. Set by the server.",
    },
  },
  ListMeta: {
    about: "Metadata of a list.",
    fields: {
      continue:
        "Token that the request for the next page gives as continue; empty on the last page. It expires after some minutes.",
      remainingItemCount:
        "How many objects come after this page. May be inexact, and is absent when selectors are used.",
      resourceVersion: "Opaque mark of the state that the list shows; a watch from it misses nothing.",
      selfLink,
      shardInfo: "Which part of the objects the list has, if only one was asked for.",
    },
  },
  OwnerReference: {
    about: "Names an object that this one belongs to and is deleted with.",
    fields: {
      apiVersion: "Group and version of the owner.",
      blockOwnerDeletion:
        "Whether the owner, when deleted in the foreground, stays until this object is gone. Default: false.",
      controller:
        "Whether the owner is the controller that manages this object; only one may be. Default: false.",
      kind: "Kind of the owner.",
      name: "Name of the owner.",
      uid: "Uid of the owner.",
    },
  },
  ManagedFieldsEntry: {
    about: "The fields that one manager has set.",
    fields: {
      apiVersion: "Group and version in which the fields are written down.",
      fieldsType: "Form of the set of fields; there is only FieldsV1.",
      fieldsV1: "The fields, as a tree.",
      manager: "Program that set the fields.",
      operation: "How the fields were set: by Apply, or by Update, which includes creation and patches.",
      subresource: "Subresource through which the fields were set. Empty: the object itself.",
      time: "When the entry was added or its fields last changed.",
    },
  },
  LabelSelector: {
    about: "Selects objects by their labels. All conditions must hold; an empty selector selects everything.",
    fields: {
      matchExpressions: "Conditions on labels, besides those of matchLabels.",
      matchLabels: "Labels that must have exactly these values.",
    },
  },
  LabelSelectorRequirement: {
    about: "A condition on one label.",
    fields: {
      key: "Name of the label.",
      operator:
        "In or NotIn the values, Exists or DoesNotExist. NotIn is also met by objects without the label.",
      values: "At least one for In and NotIn, none for Exists and DoesNotExist.",
    },
  },
  Condition: {
    about: "One aspect of an object's state.",
    fields: {
      ...conditionFields,
      observedGeneration:
        "The metadata.generation that was looked at; a lower one than the object has means the condition is out of date.",
      type: "Aspect that the condition is about, in CamelCase, perhaps with a domain in front. Each type occurs once.",
    },
  },
  DeleteOptions: {
    about: "How an object is to be deleted.",
    fields: {
      dryRun: "All goes through every step but deletes nothing. Default: empty, a real deletion.",
      gracePeriodSeconds:
        "Seconds until the object is gone; 0 deletes at once. Default: as the kind and the object say.",
      orphanDependents:
        "Deprecated, use propagationPolicy instead: whether dependents are left alone. Both cannot be given.",
      preconditions: "What must be true of the object, else the answer is 409 Conflict.",
      propagationPolicy:
        "What happens to dependents: Orphan leaves them, Background deletes them afterwards, Foreground before. Default: as the kind says, mostly Background.",
      ignoreStoreReadErrorWithClusterBreakingPotential:
        "Removes an object that cannot be read, without finalizers and preconditions. Can break what depends on it.",
    },
  },
  Preconditions: {
    about: "What must be true of an object for it to be deleted.",
    fields: {
      resourceVersion: "State that the object must be in.",
      uid: "Uid that the object must have.",
    },
  },
  Status: {
    about: "The outcome of a request that has no object to show, most often a failure.",
    fields: {
      code: "HTTP status code of the answer. 0 when not set.",
      details: "Further data about the reason; which ones depends on it.",
      message: "What happened, for people.",
      metadata: "Metadata as of a list; mostly empty.",
      reason: "Why the request failed, in one word such as NotFound or Conflict. It narrows the code down.",
      status: "Whether the request succeeded: Success or Failure.",
    },
  },
  StatusDetails: {
    about: "What a failure is about.",
    fields: {
      causes: "Single reasons for the failure, such as one for each invalid field.",
      group: "Group of the resource or kind.",
      kind: "Resource, or kind of the object, that the failure is about.",
      name: "Object that the failure is about, if it is about a single one.",
      retryAfterSeconds: "Seconds to wait before another attempt, or before asking for the outcome.",
      uid: "Uid of the object, if it is about a single one.",
    },
  },
  StatusCause: {
    about: "One reason for a failure.",
    fields: {
      field: "Path of the field that is at fault, such as spec.ports[0].name.",
      message: "What is wrong, for people.",
      reason: "What is wrong, in one word such as FieldValueInvalid.",
    },
  },
  WatchEvent: {
    about: "One change that a watch has seen.",
    fields: {
      object:
        "The object after the change, before it for DELETED; for BOOKMARK only its resourceVersion, for ERROR a Status.",
      type: "ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.",
    },
  },
  Patch: { about: "A change to an object, in the form that the content type of the request names." },
  APIVersions: {
    about: "The versions of the core group.",
    fields: {
      serverAddressByClientCIDRs: "Addresses at which clients reach the server, by where they come from.",
      versions: "Names of the versions.",
    },
  },
  GroupResource: {
    about: "A resource and the group it belongs to, in whatever version.",
    fields: {
      group: "Group of the resource. Empty: the core group.",
      resource: "Name of the resource in URLs.",
    },
  },
  APIGroupList: {
    about: "The groups that the server knows, besides the core group.",
    fields: { groups: "The groups, each with its versions." },
  },
  APIGroup: {
    about: "A group with its versions.",
    fields: {
      name: "Name of the group.",
      preferredVersion: "Version that clients should use if they know it.",
      serverAddressByClientCIDRs: "Addresses at which clients reach the server, by where they come from.",
      versions: "Versions that are served.",
    },
  },
  GroupVersionForDiscovery: {
    about: "A group and version as one text, and the version alone.",
    fields: {
      groupVersion: "Group and version, in the form GROUP/VERSION.",
      version: "Version without the group, such as v1.",
    },
  },
  ServerAddressByClientCIDR: {
    about: "The server's address for clients of a range of addresses.",
    fields: {
      clientCIDR: "Range of addresses (CIDR) that the client's must be in.",
      serverAddress:
        "Address of the server for these clients: an IP address or host name, with a port if needed.",
    },
  },
  APIResourceList: {
    about: "The resources of one group and version.",
    fields: {
      groupVersion: "Group and version of the resources.",
      resources: "The resources and subresources.",
    },
  },
  APIResource: {
    about: "A resource or subresource and what can be done with it.",
    fields: {
      categories: "Categories under which clients list the resource together with others, such as all.",
      group: "Group of the kind. Empty: that of the list.",
      kind: "Kind of the objects.",
      name: "Plural name, as in paths; with '/' and a name for a subresource.",
      namespaced: "Whether the objects are in namespaces.",
      shortNames: "Short names that clients accept instead of the name.",
      singularName: "Singular name. Empty: the client takes the kind in lower case.",
      storageVersionHash:
        "Opaque mark of the version that objects are stored in. A change means that it is another.",
      verbs: "What can be done: get, list, watch, create, update, patch, delete, deletecollection, proxy.",
      version: "Version of the kind. Empty: that of the list.",
    },
  },
  FieldSelectorRequirement: {
    about: "A condition on the value of a field.",
    fields: {
      key: "Path of the field.",
      operator: "In, NotIn, Exists or DoesNotExist.",
      values: "Values for In and NotIn; empty for the others.",
    },
  },
  ShardInfo: {
    about: "A part of all objects.",
    fields: {
      selector: "The selector that the part was asked for with.",
    },
  },
};
