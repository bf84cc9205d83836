import type { TypeDescriptions } from "./type-descriptions.js";

export const metaTypes: TypeDescriptions = {
  GroupVersionKind: {
    about: "Names a kind.",
  },
  ListMeta: {
    about: "Metadata of a list.",
    fields: {
      continue: "The token for the next page; empty at the end.",
      remainingItemCount: "About how many objects come after this page.",
      resourceVersion: "The state of the list, for watches.",
      selfLink: "Not used.",
    },
  },
  ObjectMeta: {
    about: "Metadata that every object has.",
    fields: {
      annotations: "Further data for tools, as pairs of key and value.",
      clusterName: "Not used.",
      creationTimestamp: "When the object was made.",
      deletionGracePeriodSeconds: "Seconds that the object is given to end.",
      deletionTimestamp: "When the object is to be gone. Set by the server once deletion is asked for.",
      finalizers: "Tasks that must be done before the object goes.",
      generateName: "A prefix from which the server makes a name when there is none.",
      generation: "Counts changes of what is wanted.",
      labels: "Pairs of key and value by which objects are selected.",
      managedFields: "Who has set which fields.",
      name: "Unique among objects of the kind in the namespace. Cannot be changed.",
      namespace: "The space in which the name is unique. Cannot be changed.",
      ownerReferences: "The objects that this one belongs to.",
      resourceVersion: "An opaque mark of this state of the object, for updates and watches.",
      selfLink: "Not used.",
      uid: "Unique over time: an object that is made again has another.",
    },
  },
  OwnerReference: {
    about: "Names an object that this one belongs to and is deleted with.",
    fields: {
      apiVersion: "Group and version of the owner.",
      blockOwnerDeletion:
        "Whether the owner stays until this object is gone, when it is deleted in the foreground.",
      controller: "Whether the owner manages this object.",
      kind: "Kind of the owner.",
      name: "Name of the owner.",
      uid: "Uid of the owner.",
    },
  },
  DeleteOptions: {
    about: "How an object is to be deleted.",
    fields: {
      dryRun: "'All' goes through every step but deletes nothing.",
      gracePeriodSeconds: "Seconds until the object is gone; 0 is at once.",
      orphanDependents: "Deprecated, use propagationPolicy.",
      preconditions: "What must be true of the object.",
      propagationPolicy: "What happens to dependents: Orphan, Background or Foreground.",
    },
  },
  Preconditions: {
    about: "What must be true of an object for it to be deleted.",
  },
  Status: {
    about: "The outcome of a request that has no object to show.",
    fields: {
      code: "The HTTP status.",
      details: "What it is about.",
      message: "For people.",
      reason: "For programs, in one word.",
      status: "Success or Failure.",
    },
  },
  StatusDetails: {
    about: "What a failure is about.",
  },
  StatusCause: {
    about: "One reason for a failure.",
  },
  APIVersions: {
    about: "The versions of the core group.",
  },
  APIGroup: {
    about: "A group with its versions.",
  },
  ServerAddressByClientCIDR: {
    about: "The server's address for clients of a range of addresses.",
  },
  GroupVersionForDiscovery: {
    about: "A group and version as one text, and the version alone.",
  },
  APIResource: {
    about: "A resource or subresource and what can be done with it.",
  },
  Patch: {
    about: "A change in the form that the content type names.",
  },
  LabelSelector: {
    about: "Selects objects by their labels. All parts must match; an empty selector selects everything.",
    fields: {
      matchExpressions: "Conditions on labels, all of which must hold.",
      matchLabels: "Labels that must have these values.",
    },
  },
  LabelSelectorRequirement: {
    about: "A condition on one label.",
    fields: {
      key: "The label.",
      operator: "In, NotIn, Exists or DoesNotExist.",
      values: "For In and NotIn.",
    },
  },
  ManagedFieldsEntry: {
    about: "The fields that one manager has set.",
    fields: {
      apiVersion: "The version that the fields are of.",
      fieldsType: "How the fields are written down: FieldsV1.",
      fieldsV1: "The fields.",
      manager: "Who set the fields.",
      operation: "Whether by Apply or by Update.",
      subresource: "The subresource through which they were set.",
      time: "When they were last changed.",
    },
  },
  PartialObjectMetadata: {
    about: "An object of any kind, reduced to its metadata.",
  },
  Condition: {
    about: "One aspect of an object's state.",
  },
  WatchEvent: {
    about: "One change that a watch has seen.",
  },
};
