import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";

export const apiextensionsV1Types: TypePackage = { name: "apiextensions/v1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    CustomResourceDefinitionSpec: {
      fields: {
        group: { number: 1, type: "string", rules: { immutable: true } },
        names: { number: 3, type: "apiextensions/v1.CustomResourceDefinitionNames" },
        scope: {
          number: 4,
          type: "string",
          elementName: "v1.ResourceScope",
          rules: { required: true, supported: ["Cluster", "Namespaced"], immutable: true },
        },
        versions: { number: 7, type: "apiextensions/v1.CustomResourceDefinitionVersion", list: true },
        conversion: {
          number: 9,
          type: "apiextensions/v1.CustomResourceConversion",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        preserveUnknownFields: { number: 10, type: "bool", omitempty: true, optional: true },
      },
    },
    CustomResourceConversion: {
      fields: {
        strategy: {
          number: 1,
          type: "string",
          elementName: "v1.ConversionStrategyType",
          rules: { required: true, supported: ["None", "Webhook"] },
        },
        webhook: {
          number: 2,
          type: "apiextensions/v1.WebhookConversion",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    WebhookConversion: {
      fields: {
        clientConfig: {
          number: 2,
          type: "apiextensions/v1.WebhookClientConfig",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        conversionReviewVersions: { number: 3, type: "string", list: true },
      },
    },
    WebhookClientConfig: {
      fields: {
        url: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        service: {
          number: 1,
          type: "apiextensions/v1.ServiceReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        caBundle: { number: 2, type: "bytes", omitempty: true, optional: true },
      },
    },
    ServiceReference: {
      fields: {
        namespace: { number: 1, type: "string" },
        name: { number: 2, type: "string" },
        path: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        port: { number: 4, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
    CustomResourceDefinitionVersion: {
      fields: {
        name: { number: 1, type: "string" },
        served: { number: 2, type: "bool" },
        storage: { number: 3, type: "bool" },
        deprecated: { number: 7, type: "bool", omitempty: true, optional: true },
        deprecationWarning: { number: 8, type: "string", pointer: true, omitempty: true, optional: true },
        schema: {
          number: 4,
          type: "apiextensions/v1.CustomResourceValidation",
          pointer: true,
          omitempty: true,
          optional: true,
          deferred: true,
        },
        subresources: {
          number: 5,
          type: "apiextensions/v1.CustomResourceSubresources",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        additionalPrinterColumns: {
          number: 6,
          type: "apiextensions/v1.CustomResourceColumnDefinition",
          list: true,
          omitempty: true,
          optional: true,
        },
        selectableFields: {
          number: 9,
          type: "apiextensions/v1.SelectableField",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    SelectableField: {
      fields: {
        jsonPath: { number: 1, type: "string" },
      },
    },
    CustomResourceColumnDefinition: {
      fields: {
        name: { number: 1, type: "string" },
        type: { number: 2, type: "string" },
        format: { number: 3, type: "string", omitempty: true, optional: true },
        description: { number: 4, type: "string", omitempty: true, optional: true },
        priority: { number: 5, type: "int32", omitempty: true, optional: true },
        jsonPath: { number: 6, type: "string" },
      },
    },
    CustomResourceDefinitionNames: {
      fields: {
        plural: { number: 1, type: "string", rules: { immutable: true } },
        singular: { number: 2, type: "string", omitempty: true, optional: true },
        shortNames: { number: 3, type: "string", list: true, omitempty: true, optional: true },
        kind: { number: 4, type: "string", rules: { immutable: true } },
        listKind: { number: 5, type: "string", omitempty: true, optional: true },
        categories: { number: 6, type: "string", list: true, omitempty: true, optional: true },
      },
    },
    CustomResourceDefinitionCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.CustomResourceDefinitionConditionType" },
        status: { number: 2, type: "string", elementName: "core/v1.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        message: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    CustomResourceDefinitionStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "apiextensions/v1.CustomResourceDefinitionCondition",
          list: true,
          optional: true,
          listType: "map",
          listMapKeys: ["type"],
        },
        acceptedNames: { number: 2, type: "apiextensions/v1.CustomResourceDefinitionNames", optional: true },
        storedVersions: { number: 3, type: "string", list: true, optional: true },
      },
    },
    CustomResourceDefinition: {
      kind: "CustomResourceDefinition",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "apiextensions/v1.CustomResourceDefinitionSpec" },
        status: {
          number: 3,
          type: "apiextensions/v1.CustomResourceDefinitionStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    CustomResourceDefinitionList: listKind("apiextensions/v1.CustomResourceDefinition"),
    CustomResourceValidation: {
      fields: {
        openAPIV3Schema: {
          number: 1,
          type: "apiextensions/v1.JSONSchemaProps",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    CustomResourceSubresources: {
      fields: {
        status: {
          number: 1,
          type: "apiextensions/v1.CustomResourceSubresourceStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        scale: {
          number: 2,
          type: "apiextensions/v1.CustomResourceSubresourceScale",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    CustomResourceSubresourceStatus: {
      fields: {},
    },
    CustomResourceSubresourceScale: {
      fields: {
        specReplicasPath: { number: 1, type: "string" },
        statusReplicasPath: { number: 2, type: "string" },
        labelSelectorPath: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    ConversionReview: {
      kind: "ConversionReview",
      fields: {
        request: {
          number: 1,
          type: "apiextensions/v1.ConversionRequest",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        response: {
          number: 2,
          type: "apiextensions/v1.ConversionResponse",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ConversionRequest: {
      fields: {
        uid: { number: 1, type: "string", elementName: "types.UID" },
        desiredAPIVersion: { number: 2, type: "string" },
        objects: { number: 3, type: "RawExtension", list: true },
      },
    },
    ConversionResponse: {
      fields: {
        uid: { number: 1, type: "string", elementName: "types.UID" },
        convertedObjects: { number: 2, type: "RawExtension", list: true },
        result: { number: 3, type: "meta/v1.Status" },
      },
    },
    JSONSchemaProps: {
      fields: {
        id: { number: 1, type: "string", omitempty: true },
        $schema: { number: 2, type: "string", omitempty: true, elementName: "v1.JSONSchemaURL" },
        $ref: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        description: { number: 4, type: "string", omitempty: true },
        type: { number: 5, type: "string", omitempty: true },
        format: { number: 6, type: "string", omitempty: true },
        title: { number: 7, type: "string", omitempty: true },
        default: { number: 8, type: "JSON", pointer: true, omitempty: true, optional: true },
        maximum: { number: 9, type: "double", pointer: true, omitempty: true, optional: true },
        exclusiveMaximum: { number: 10, type: "bool", omitempty: true },
        minimum: { number: 11, type: "double", pointer: true, omitempty: true, optional: true },
        exclusiveMinimum: { number: 12, type: "bool", omitempty: true },
        maxLength: { number: 13, type: "int64", pointer: true, omitempty: true, optional: true },
        minLength: { number: 14, type: "int64", pointer: true, omitempty: true, optional: true },
        pattern: { number: 15, type: "string", omitempty: true },
        maxItems: { number: 16, type: "int64", pointer: true, omitempty: true, optional: true },
        minItems: { number: 17, type: "int64", pointer: true, omitempty: true, optional: true },
        uniqueItems: { number: 18, type: "bool", omitempty: true },
        multipleOf: { number: 19, type: "double", pointer: true, omitempty: true, optional: true },
        enum: { number: 20, type: "JSON", list: true, omitempty: true },
        maxProperties: { number: 21, type: "int64", pointer: true, omitempty: true, optional: true },
        minProperties: { number: 22, type: "int64", pointer: true, omitempty: true, optional: true },
        required: { number: 23, type: "string", list: true, omitempty: true },
        items: { number: 24, type: "JSONSchemaPropsOrArray", pointer: true, omitempty: true, optional: true },
        allOf: { number: 25, type: "apiextensions/v1.JSONSchemaProps", list: true, omitempty: true },
        oneOf: { number: 26, type: "apiextensions/v1.JSONSchemaProps", list: true, omitempty: true },
        anyOf: { number: 27, type: "apiextensions/v1.JSONSchemaProps", list: true, omitempty: true },
        not: {
          number: 28,
          type: "apiextensions/v1.JSONSchemaProps",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        properties: { number: 29, type: "apiextensions/v1.JSONSchemaProps", map: true, omitempty: true },
        additionalProperties: {
          number: 30,
          type: "JSONSchemaPropsOrBool",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        patternProperties: {
          number: 31,
          type: "apiextensions/v1.JSONSchemaProps",
          map: true,
          omitempty: true,
        },
        dependencies: {
          number: 32,
          type: "JSONSchemaPropsOrStringArray",
          map: true,
          omitempty: true,
          keepsEmpty: true,
          collectionName: "v1.JSONSchemaDependencies",
        },
        additionalItems: {
          number: 33,
          type: "JSONSchemaPropsOrBool",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        definitions: {
          number: 34,
          type: "apiextensions/v1.JSONSchemaProps",
          map: true,
          omitempty: true,
          collectionName: "v1.JSONSchemaDefinitions",
        },
        externalDocs: {
          number: 35,
          type: "apiextensions/v1.ExternalDocumentation",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        example: { number: 36, type: "JSON", pointer: true, omitempty: true, optional: true },
        nullable: { number: 37, type: "bool", omitempty: true },
        "x-orch-preserve-unknown-fields": {
          number: 38,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          profileNamed: true,
        },
        "x-orch-embedded-resource": { number: 39, type: "bool", omitempty: true, profileNamed: true },
        "x-orch-int-or-string": { number: 40, type: "bool", omitempty: true, profileNamed: true },
        "x-orch-list-map-keys": {
          number: 41,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          profileNamed: true,
        },
        "x-orch-list-type": {
          number: 42,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          profileNamed: true,
        },
        "x-orch-map-type": {
          number: 43,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          profileNamed: true,
        },
        "x-orch-validations": {
          number: 44,
          type: "apiextensions/v1.ValidationRule",
          list: true,
          omitempty: true,
          patchStrategy: "merge",
          patchMergeKey: "rule",
          listType: "map",
          listMapKeys: ["rule"],
          profileNamed: true,
          collectionName: "v1.ValidationRules",
        },
      },
    },
    ValidationRule: {
      fields: {
        rule: { number: 1, type: "string" },
        message: { number: 2, type: "string", omitempty: true },
        messageExpression: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        reason: { number: 4, type: "string", pointer: true, omitempty: true, optional: true },
        fieldPath: { number: 5, type: "string", pointer: true, omitempty: true, optional: true },
        optionalOldSelf: { number: 6, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    ExternalDocumentation: {
      fields: {
        description: { number: 1, type: "string", omitempty: true },
        url: { number: 2, type: "string", omitempty: true },
      },
    },
  };
}
