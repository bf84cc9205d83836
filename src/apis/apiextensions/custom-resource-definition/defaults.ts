import type { CustomResourceDefinition } from "../../gen/apiextensions-v1.js";
import { storageVersionName } from "./stored-versions.js";

export function setCustomResourceDefinitionDefaults({ spec, status }: CustomResourceDefinition): void {
  const { names } = spec;
  names.singular ||= names.kind.toLowerCase();
  if (names.kind !== "") names.listKind ||= `${names.kind}List`;
  spec.conversion ??= { strategy: "None" };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service !== undefined) service.port ??= 443;
  const storage = storageVersionName(spec);
  if ((status.storedVersions ?? []).length === 0 && storage !== undefined) status.storedVersions = [storage];
}
