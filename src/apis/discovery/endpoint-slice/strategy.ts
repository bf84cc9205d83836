import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { ipRules } from "../../checks/ip-rules.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import type { Strategy, WriteContext } from "../../definition/strategy.js";
import type { Endpoint, EndpointSlice } from "../../gen/discovery-v1.js";
import { validateEndpointSlice, validateEndpointSliceUpdate } from "./validation.js";
import { addressTypeWarnings, addressWarnings } from "./warnings.js";

export function endpointSliceStrategy(context: ApiContext): Strategy<EndpointSlice> {
  const hostnameKey = `${context.naming.domain}/hostname`;
  const rules = {
    domain: context.naming.domain,
    ips: ipRules(context),
    keepsEndpoints: isAtLeast(context.level, "1.33"),
  };
  return strategy<EndpointSlice>({
    validate: (_write, object) => validateEndpointSlice(object, rules),
    validateUpdate: (_write, object, old) => validateEndpointSliceUpdate(object, old, rules),
    ...(isAtLeast(context.level, "1.27") && {
      warningsOnCreate: (_write, object) => [
        ...addressTypeWarnings(object),
        ...addressWarnings(context, object),
      ],
      warningsOnUpdate: (_write, object) => addressWarnings(context, object),
    }),
    prepareForCreate(write, object) {
      object.metadata.generation = 1;
      dropDisabledFields(context, object, undefined);
      dropTopology(write, object, undefined, hostnameKey);
    },
    prepareForUpdate(write, object, old) {
      const { metadata, ...content } = object;
      const { metadata: oldMetadata, ...oldContent } = old;
      if (
        !isDeepEqual(content, oldContent) ||
        !isDeepEqual(metadata.labels ?? {}, oldMetadata.labels ?? {})
      ) {
        metadata.generation = Number(oldMetadata.generation ?? 0) + 1;
      }
      dropDisabledFields(context, object, old);
      dropTopology(write, object, old, hostnameKey);
    },
  });
}

function dropDisabledFields(
  context: ApiContext,
  object: EndpointSlice,
  old: EndpointSlice | undefined,
): void {
  const inUse = (test: (endpoint: Endpoint) => boolean): boolean => (old?.endpoints ?? []).some(test);
  const dropTerminating =
    !context.isEnabled("EndpointSliceTerminatingCondition") &&
    !inUse(({ conditions }) => conditions.serving !== undefined || conditions.terminating !== undefined);
  const dropHints = !context.isEnabled("TopologyAwareHints") && !inUse(({ hints }) => hints !== undefined);
  for (const endpoint of object.endpoints ?? []) {
    if (dropTerminating) {
      endpoint.conditions.serving = undefined;
      endpoint.conditions.terminating = undefined;
    }
    if (dropHints) endpoint.hints = undefined;
  }
}

/** In v1 the topology map is read-only; a node name found only there moves to its field. */
function dropTopology(
  write: WriteContext,
  object: EndpointSlice,
  old: EndpointSlice | undefined,
  hostnameKey: string,
): void {
  if (write.version === "v1beta1") return;
  if (old !== undefined && isDeepEqual(object.endpoints, old.endpoints)) return;
  const knownNodes = new Set(
    (old?.endpoints ?? []).map((endpoint) => endpoint.deprecatedTopology?.[hostnameKey]),
  );
  for (const endpoint of object.endpoints ?? []) {
    const node = endpoint.deprecatedTopology?.[hostnameKey];
    if (endpoint.nodeName === undefined && node !== undefined && knownNodes.has(node)) {
      if (isDns1123Subdomain(node).length === 0) endpoint.nodeName = node;
    }
    endpoint.deprecatedTopology = undefined;
  }
}
