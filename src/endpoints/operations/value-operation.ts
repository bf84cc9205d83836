import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import { oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import {
  convertFromHub,
  convertToHub,
  hubVersion,
  type ResourceDefinition,
  type VersionDefinition,
} from "../../apis/definition/resource-definition.js";
import { refuseInvalid } from "../../registry/generic/before-create.js";
import { createVersionedView } from "../../registry/generic/versioned-view.js";
import type { ApiRequest } from "../../request/api-request.js";
import { decodeBody } from "../bodies/decode-object.js";
import { writeAttributes } from "../resource/admission-attributes.js";
import type { ValueResult } from "../resource/api-result.js";
import { settleCreatedMetadata } from "../resource/created-metadata.js";
import type { OperationHandler } from "../resource/operation.js";
import type { EndpointSettings } from "../resource/resource-endpoint.js";
import { viewForms } from "../resource/served-forms.js";
import { writeOf, writeOptionsOf } from "../resource/write-options.js";
import { trackCreatedValue } from "./admit-created-value.js";

/** A virtual resource in one version: nothing of it is stored. */
export interface VirtualResource {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
  readonly settings: EndpointSettings;
  readonly admission: AdmissionChain;
}

/**
 * The create of a virtual resource: its body is admitted, validated by the kind's strategy and answered by `answer`, which fills in the
 * status. Nothing is stored.
 */
export function valueOperation<T extends ApiObject>(
  { definition, version, settings, admission }: VirtualResource,
  answer: (object: T, request: ApiRequest) => Promise<void>,
): OperationHandler {
  const view = createVersionedView(definition, version);
  return async (request): Promise<ValueResult> => {
    const options = writeOptionsOf(request, "CreateOptions", settings);
    const object = convertToHub(version, await decodeBody(view, settings, request));
    settleCreatedMetadata(object.metadata, request.info, definition.level ?? oldestLevel);
    await trackCreatedValue(view, object, request, { manager: options.fieldManager, settings });
    const write = writeOf(request, options.dryRun);
    const { group, resource, kind } = definition;
    const attributes = writeAttributes(write, {
      operation: "CREATE",
      kind: { group, version: version.version, kind },
      resource: { group, version: version.version, resource },
      name: object.metadata.name ?? "",
      object,
      oldObject: undefined,
      options: { kind: "CreateOptions", value: options.sent },
      forms: () => viewForms(view, write),
    });
    await admission.mutate(attributes);
    hubVersion(definition).gatedFields?.drop(object);
    refuseInvalid(definition, {}, () => definition.strategy.validate(write, object));
    await admission.validate(attributes);
    // The definition of this operation's resource has T as its hub form.
    await answer(object as T, request);
    return {
      kind: "value",
      code: 201,
      view,
      object: convertFromHub(version, object),
    };
  };
}
