import { notFound, StatusError } from "../../apimachinery/errors/status.js";
import { isAtLeast, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ResourceDefinition, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { ComponentStatus } from "../../apis/gen/core-v1.js";
import { createResourceCodec } from "../../registry/generic/resource-codec.js";
import { createVersionedView } from "../../registry/generic/versioned-view.js";
import { createStoredObject } from "../../storage/stored-object.js";
import { readSelectors, selectionOf } from "../reads/selection.js";
import type { OperationHandler } from "../resource/operation.js";

/** A component of the control plane with a health check. */
export interface ComponentProbe {
  readonly name: string;
  /** Never rejects. `message` is the component's answer, or why it could not be asked. */
  check(signal: AbortSignal): Promise<{ readonly healthy: boolean; readonly message: string }>;
}

/** Get and list of the control plane's components, each probed on every read. */
export function componentStatuses(
  definition: ResourceDefinition,
  version: VersionDefinition,
  probes: readonly ComponentProbe[],
): { readonly get: OperationHandler; readonly list: OperationHandler } {
  const view = createVersionedView(definition, version);
  // Nothing is stored, but answers look like stored objects.
  const codec = createResourceCodec(
    { ...definition, storage: { version: version.version, prefix: "" } },
    "json",
  );
  const ask = async (probe: ComponentProbe, signal: AbortSignal) => {
    const { healthy, message } = await probe.check(signal);
    const object: ComponentStatus = {
      metadata: { name: probe.name },
      conditions: [{ type: "Healthy", status: healthy ? "True" : "False", message }],
    };
    return createStoredObject(codec, probe.name, object, undefined);
  };
  return {
    async get({ info, signal }) {
      const probe = probes.find(({ name }) => name === info.name);
      if (probe === undefined) {
        if (isAtLeast(definition.level ?? oldestLevel, "1.33"))
          throw notFound({ group: "", resource: "componentstatus" }, info.name);
        throw new StatusError({ message: `Component not found: ${info.name}`, code: 500 });
      }
      return { kind: "object", code: 200, view, stored: await ask(probe, signal) };
    },
    async list(request) {
      const { key, matches } = selectionOf(
        { definition, version },
        request.info,
        readSelectors(definition, request.query),
      );
      const all = await Promise.all(probes.map((probe) => ask(probe, request.signal)));
      const items = all.filter(
        (each) => (key === undefined || each.key === key) && (matches === undefined || matches(each)),
      );
      return { kind: "list", view, items, metadata: {} };
    },
  };
}
