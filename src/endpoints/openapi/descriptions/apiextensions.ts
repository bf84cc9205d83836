import type { TypeDescriptions } from "./type-descriptions.js";

export const apiextensionsTypes: TypeDescriptions = {
  CustomResourceDefinitionSpec: {
    fields: {
      conversion: "How objects are converted between versions.",
      group: "The group; the object's name is plural.group.",
      names: "The names of the resource.",
      preserveUnknownFields: "Must be false.",
      scope: "Namespaced or Cluster.",
      versions: "The versions.",
    },
  },
  CustomResourceConversion: {
    about: "How a custom resource is converted between its versions.",
  },
  WebhookConversion: {
    about: "The webhook that converts a custom resource.",
  },
  WebhookClientConfig: {
    about: "How a webhook is reached.",
  },
  ServiceReference: {
    about: "Names a service.",
  },
  CustomResourceDefinitionVersion: {
    about: "One version of a custom resource.",
  },
  CustomResourceColumnDefinition: {
    about: "A column of a custom resource's table.",
  },
  CustomResourceDefinitionNames: {
    about: "The names under which a custom resource is served.",
  },
  CustomResourceDefinition: {
    about: "Adds a resource type of your own to the API.",
  },
  CustomResourceValidation: {
    about: "The schema of a custom resource.",
  },
  CustomResourceSubresources: {
    about: "The subresources of a custom resource.",
  },
  CustomResourceSubresourceStatus: {
    about: "Serves the status subresource.",
  },
  CustomResourceSubresourceScale: {
    about: "Where the scale subresource finds its numbers, as paths.",
  },
  JSONSchemaProps: {
    about: "A JSON schema.",
  },
  ValidationRule: {
    about: "A condition on a value, as an expression.",
  },
  ExternalDocumentation: {
    about: "A link to further documentation.",
  },
};
