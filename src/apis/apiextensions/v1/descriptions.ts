import { conditionFields } from "../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import { webhookClientDescriptions } from "../../definition/webhook-client-descriptions.js";
import { jsonSchemaDescriptions } from "./json-schema-descriptions.js";

export const apiextensionsV1Descriptions: TypeDescriptions = {
  ...jsonSchemaDescriptions,
  ...webhookClientDescriptions,
  CustomResourceDefinitionSpec: {
    about: "The names, versions and schemas of a resource of your own.",
    fields: {
      conversion: "How objects are converted between versions. Default: only apiVersion is changed.",
      group:
        "The resource's API group, a domain name with a dot; the object is named plural.group. Cannot be changed.",
      names: "The names under which the resource is served.",
      preserveUnknownFields:
        "Must be false, except where true is stored already; use the schema's extension instead.",
      scope:
        "Whether objects are in namespaces: Namespaced or Cluster. Cannot be changed once the resource is served.",
      versions: "The versions, with unique names; exactly one of them is stored.",
    },
  },
  CustomResourceConversion: {
    about: "How a custom resource is converted between its versions.",
    fields: {
      strategy: "None changes nothing but apiVersion; Webhook asks a service. Default: None.",
      webhook: "The service to ask; required for the strategy Webhook, forbidden for None.",
    },
  },
  WebhookConversion: {
    about: "The webhook that converts a custom resource.",
    fields: {
      clientConfig: "How the webhook is reached.",
      conversionReviewVersions:
        "Versions of ConversionReview that the webhook takes; the server sends the first one it knows, v1 or v1beta1.",
    },
  },
  CustomResourceDefinitionVersion: {
    about: "One version of a custom resource.",
    fields: {
      additionalPrinterColumns: "Columns of tables after the name. Default: the age.",
      deprecated: "Whether answers in this version carry a warning. Default: false.",
      deprecationWarning: "Text of that warning, at most 256 bytes; for deprecated versions only.",
      name: "Name of the version, such as v1beta1, in the path /apis/group/version.",
      selectableFields: "Fields that lists and watches may be selected by, at most eight.",
      schema: "The schema that objects of this version are checked, pruned and filled in by.",
      served: "Whether requests may use the version.",
      storage: "Whether objects are stored in this version; true in exactly one of them.",
      subresources: "Which of status and scale this version has. Default: none.",
    },
  },
  SelectableField: {
    about: "A field that lists and watches of a custom resource may be selected by.",
    fields: {
      jsonPath: "Where the field is in the object, as in .spec.colour: text, a boolean or a whole number.",
    },
  },
  CustomResourceColumnDefinition: {
    about: "A column of a custom resource's table.",
    fields: {
      description: "What the column shows, for people.",
      format: "Shape of the type, such as int32, int64, double, byte, date or date-time.",
      jsonPath: "Where the cell's value is in the object, as in .spec.replicas.",
      name: "Heading of the column.",
      priority: "Columns above 0 are shown in wide output only. Default: 0.",
      type: "Kind of value: string, integer, number, boolean or date, which is shown as an age.",
    },
  },
  CustomResourceDefinitionNames: {
    about: "The names under which a custom resource is served.",
    fields: {
      categories: "Groups of resources that clients can ask for together, such as all.",
      kind: "Kind of the objects, in CamelCase. Cannot be changed once the resource is served.",
      listKind: "Kind of lists. Default: kind with List behind it.",
      plural: "Name of the resource in paths, in lower case. Cannot be changed.",
      shortNames: "Short forms for command lines, in lower case.",
      singular: "Name of one object for command lines. Default: kind in lower case.",
    },
  },
  CustomResourceDefinitionCondition: {
    fields: {
      ...conditionFields,
      type: "Among others Established (it is served), NamesAccepted, NonStructuralSchema or Terminating.",
      observedGeneration: "The metadata.generation of the definition that the condition was set for.",
    },
  },
  CustomResourceDefinitionStatus: {
    about: "Whether a custom resource is served, and under which names.",
    fields: {
      acceptedNames:
        "The names that it is served under; they lag behind the spec if others have taken those.",
      conditions: "Whether its names are accepted, whether it is served, and what is wrong with it.",
      storedVersions:
        "Versions that objects may be stored in; take one out only after its objects are rewritten.",
      observedGeneration: "The metadata.generation of the definition that the status was written for.",
    },
  },
  CustomResourceDefinition: {
    about: "Adds a resource type of your own to the API.",
    fields: {
      spec: "The names, versions and schemas of the resource.",
      status: "Whether the resource is served, and under which names.",
    },
  },
  CustomResourceValidation: {
    about: "The schema of a custom resource.",
    fields: { openAPIV3Schema: "The schema, of type object at the root; it must describe all fields." },
  },
  CustomResourceSubresources: {
    about: "The subresources of a custom resource.",
    fields: {
      scale: "Serves scale, by which autoscalers set the number of replicas.",
      status: "Serves status; then writes of the object ignore its status, and writes of status all else.",
    },
  },
  CustomResourceSubresourceStatus: {
    about: "Serves the status subresource.",
  },
  CustomResourceSubresourceScale: {
    about: "Where the scale subresource finds its numbers, as paths.",
    fields: {
      labelSelectorPath:
        "Path of the pods' label selector as text, below .spec or .status; autoscalers need it.",
      specReplicasPath: "Path of the wanted number, below .spec, as in .spec.replicas.",
      statusReplicasPath: "Path of the present number, below .status; 0 while there is none.",
    },
  },
  ConversionReview: {
    about: "What the server asks a conversion webhook, and what that answers.",
    fields: {
      request: "The objects to convert; sent by the server.",
      response: "The converted objects; sent back by the webhook.",
    },
  },
  ConversionRequest: {
    about: "Objects for a webhook to convert.",
    fields: {
      desiredAPIVersion: "Group and version to convert to, as in example.com/v1.",
      objects: "The objects, which may be of different versions.",
      uid: "Identifies the request; the response repeats it.",
    },
  },
  ConversionResponse: {
    about: "What a webhook made of the objects.",
    fields: {
      convertedObjects:
        "The objects in the desired version, in the order of the request. In metadata only labels and annotations may change.",
      result: "Success, or Failure with a message that the client gets to see.",
      uid: "The uid of the request.",
    },
  },
};
