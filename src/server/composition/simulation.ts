import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { hubVersion } from "../../apis/definition/resource-definition.js";
import type { ControllerContext } from "../../controllers/controller.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import { admissionAttributes } from "../../endpoints/resource/admission-attributes.js";
import type { ResourceEndpoint } from "../../endpoints/resource/resource-endpoint.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { WriteStages } from "../../registry/generic/write-stages.js";
import type { WriteScope } from "../../request/write-scope.js";
import type { Simulation } from "../../simulation/simulation.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { Options } from "../options/options.js";
import type { ServerPki } from "../pki/server-pki.js";
import { apiVersionName } from "../settings/version.js";

export interface SimulationParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly catalog: LiveCatalog;
  readonly context: ControllerContext;
  readonly pki: ServerPki;
  readonly gates: FeatureGates;
}

/** The parts of `--simulate`, loaded only with it. */
export async function createSimulation({
  options,
  naming,
  catalog,
  context,
  pki,
  gates,
}: SimulationParts): Promise<Simulation | undefined> {
  const settings = options.simulate;
  if (settings === undefined) return undefined;
  const { Simulation: Made } = await import("../../simulation/simulation.js");
  return new Made({
    ...context,
    naming,
    settings,
    level: options.apiLevel,
    isEnabled: gates.isEnabled,
    version: apiVersionName(options.apiLevel),
    random: Math.random,
    signCertificate: pki.signRequest,
    admission: (registry, write) => admissionStages(catalog, registry, write),
  });
}

/** The same admission stages as for a request in the hub version. */
function admissionStages<T extends ApiObject>(
  catalog: LiveCatalog,
  { definition }: ResourceRegistry<T>,
  write: WriteScope,
): WriteStages<T> {
  const { group, resource } = definition;
  const served = catalog.handle(group, resource)?.served;
  const version = hubVersion(definition).version;
  const [first] = served?.values() ?? [];
  const endpoint = (served?.get(version) ?? first)?.resource.endpoint;
  // If the kind is not served, nobody can write it.
  if (endpoint === undefined) return {};
  return {
    mutate: (object, old) => endpoint.admission.mutate(attributes(endpoint, write, object, old)),
    validate: (object, old) => endpoint.admission.validate(attributes(endpoint, write, object, old)),
  };
}

function attributes(
  endpoint: ResourceEndpoint,
  write: WriteScope,
  object: ApiObject,
  oldObject: ApiObject | undefined,
) {
  const isNew = oldObject === undefined;
  return admissionAttributes(endpoint, write, {
    operation: isNew ? "CREATE" : "UPDATE",
    name: object.metadata.name ?? "",
    object,
    oldObject,
    options: { kind: isNew ? "CreateOptions" : "UpdateOptions", value: {} },
  });
}
