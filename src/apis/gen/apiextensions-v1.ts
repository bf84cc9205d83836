// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { ListMeta, ObjectMeta, Status } from "./meta-v1.js";

export interface CustomResourceDefinitionSpec {
  group: string;
  names: CustomResourceDefinitionNames;
  scope: string;
  versions?: CustomResourceDefinitionVersion[] | undefined;
  conversion?: CustomResourceConversion | undefined;
  preserveUnknownFields?: boolean | undefined;
}

export interface CustomResourceConversion {
  strategy: string;
  webhook?: WebhookConversion | undefined;
}

export interface WebhookConversion {
  clientConfig?: WebhookClientConfig | undefined;
  conversionReviewVersions?: string[] | undefined;
}

export interface WebhookClientConfig {
  url?: string | undefined;
  service?: ServiceReference | undefined;
  caBundle?: string | undefined;
}

export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string | undefined;
  port?: number | undefined;
}

export interface CustomResourceDefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean | undefined;
  deprecationWarning?: string | undefined;
  schema?: CustomResourceValidation | undefined;
  subresources?: CustomResourceSubresources | undefined;
  additionalPrinterColumns?: CustomResourceColumnDefinition[] | undefined;
  selectableFields?: SelectableField[] | undefined;
}

export interface SelectableField {
  jsonPath: string;
}

export interface CustomResourceColumnDefinition {
  name: string;
  type: string;
  format?: string | undefined;
  description?: string | undefined;
  priority?: number | undefined;
  jsonPath: string;
}

export interface CustomResourceDefinitionNames {
  plural: string;
  singular?: string | undefined;
  shortNames?: string[] | undefined;
  kind: string;
  listKind?: string | undefined;
  categories?: string[] | undefined;
}

export interface CustomResourceDefinitionCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
  observedGeneration?: number | bigint | undefined;
}

export interface CustomResourceDefinitionStatus {
  conditions?: CustomResourceDefinitionCondition[] | undefined;
  acceptedNames: CustomResourceDefinitionNames;
  storedVersions?: string[] | undefined;
  observedGeneration?: number | bigint | undefined;
}

export interface CustomResourceDefinition {
  metadata: ObjectMeta;
  spec: CustomResourceDefinitionSpec;
  status: CustomResourceDefinitionStatus;
}

export interface CustomResourceDefinitionList {
  metadata: ListMeta;
  items?: CustomResourceDefinition[] | undefined;
}

export interface CustomResourceValidation {
  openAPIV3Schema?: JSONSchemaProps | undefined;
}

export interface CustomResourceSubresources {
  status?: CustomResourceSubresourceStatus | undefined;
  scale?: CustomResourceSubresourceScale | undefined;
}

export interface CustomResourceSubresourceStatus {
}

export interface CustomResourceSubresourceScale {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string | undefined;
}

export interface ConversionReview {
  request?: ConversionRequest | undefined;
  response?: ConversionResponse | undefined;
}

export interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects?: JsonValue[] | undefined;
}

export interface ConversionResponse {
  uid: string;
  convertedObjects?: JsonValue[] | undefined;
  result: Status;
}

export interface JSONSchemaProps {
  id?: string | undefined;
  $schema?: string | undefined;
  $ref?: string | undefined;
  description?: string | undefined;
  type?: string | undefined;
  format?: string | undefined;
  title?: string | undefined;
  default?: JsonValue | undefined;
  maximum?: number | undefined;
  exclusiveMaximum?: boolean | undefined;
  minimum?: number | undefined;
  exclusiveMinimum?: boolean | undefined;
  maxLength?: number | bigint | undefined;
  minLength?: number | bigint | undefined;
  pattern?: string | undefined;
  maxItems?: number | bigint | undefined;
  minItems?: number | bigint | undefined;
  uniqueItems?: boolean | undefined;
  multipleOf?: number | undefined;
  enum?: JsonValue[] | undefined;
  maxProperties?: number | bigint | undefined;
  minProperties?: number | bigint | undefined;
  required?: string[] | undefined;
  items?: JSONSchemaProps | JSONSchemaProps[] | undefined;
  allOf?: JSONSchemaProps[] | undefined;
  oneOf?: JSONSchemaProps[] | undefined;
  anyOf?: JSONSchemaProps[] | undefined;
  not?: JSONSchemaProps | undefined;
  properties?: { [key: string]: JSONSchemaProps } | undefined;
  additionalProperties?: JSONSchemaProps | boolean | undefined;
  patternProperties?: { [key: string]: JSONSchemaProps } | undefined;
  dependencies?: { [key: string]: JSONSchemaProps | string[] | null } | undefined;
  additionalItems?: JSONSchemaProps | boolean | undefined;
  definitions?: { [key: string]: JSONSchemaProps } | undefined;
  externalDocs?: ExternalDocumentation | undefined;
  example?: JsonValue | undefined;
  nullable?: boolean | undefined;
  /** Named by the profile: x-orch-preserve-unknown-fields, x-orch-embedded-resource, x-orch-int-or-string, x-orch-list-map-keys, x-orch-list-type, x-orch-map-type, x-orch-validations (see `Naming.field`). */
  [extension: `x-${string}`]: boolean | string[] | string | ValidationRule[] | undefined;
}

export interface ValidationRule {
  rule: string;
  message?: string | undefined;
  messageExpression?: string | undefined;
  reason?: OpenEnum<"FieldValueDuplicate" | "FieldValueForbidden" | "FieldValueInvalid" | "FieldValueRequired"> | undefined;
  fieldPath?: string | undefined;
  optionalOldSelf?: boolean | undefined;
}

export interface ExternalDocumentation {
  description?: string | undefined;
  url?: string | undefined;
}
