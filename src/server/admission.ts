import { readFile } from "node:fs/promises";
import { type AdmissionChain, createAdmissionChain } from "../admission/admission-chain.js";
import { readAdmissionConfiguration } from "../admission/configuration/admission-configuration.js";
import type { PluginConfigurations, PluginContext } from "../admission/plugin-context.js";
import { createPlugins } from "../admission/plugin-table.js";
import type { Namespace } from "../apis/gen/core-v1.js";
import type { ControllerContext } from "../controllers/controller.js";
import type { Naming } from "../naming/naming.js";
import { isStatus } from "../registry/generic/storage-status.js";
import { forOption } from "./options/option-failure.js";
import type { Options } from "./options/options.js";

export interface AdmissionParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly configurations: PluginConfigurations;
  readonly context: ControllerContext;
}

/** The plugins that the options leave in force, each with what it looks up. */
export function createAdmission(parts: AdmissionParts): AdmissionChain {
  const { options, naming, configurations, context } = parts;
  const selection = {
    enabled: options.enableAdmissionPlugins,
    disabled: options.disableAdmissionPlugins,
  };
  const pluginContext: PluginContext = {
    naming,
    namespaces: namespaceLister(context),
    now: () => Date.now(),
  };
  return createAdmissionChain(createPlugins(selection, configurations, pluginContext));
}

/** Reads the file of `--admission-control-config-file`. Rejects with an `Error` that names the option. */
export async function loadAdmissionConfigurations(
  options: Options,
  naming: Naming,
): Promise<PluginConfigurations> {
  const path = options.admissionControlConfigFile;
  if (path === undefined) return new Map();
  return await forOption("admission-control-config-file", naming, () =>
    readAdmissionConfiguration(path, {
      group: naming.group("apiserver.config"),
      alphaGroup: `apiserver.${naming.groupDomain}`,
      readFile: (name) => readFile(name, "utf8"),
    }),
  );
}

function namespaceLister(context: ControllerContext): PluginContext["namespaces"] {
  type State = { readonly terminating: boolean; readonly deletionTimestamp: string | undefined };
  // Each write asks for its namespace, which hardly ever changes.
  const known = new WeakMap<object, State>();
  return {
    async find(name: string, version: "cached" | "newest"): Promise<State | undefined> {
      try {
        const kind = version === "cached" ? "any" : "mostRecent";
        const stored = await context.registry("", "namespaces").get("", name, { kind });
        let state = known.get(stored);
        if (state === undefined) {
          const { metadata, status } = stored.decode() as Namespace; // the registry of namespaces holds nothing else
          state = {
            terminating: status?.phase === "Terminating",
            deletionTimestamp: metadata.deletionTimestamp,
          };
          known.set(stored, state);
        }
        return state;
      } catch (error) {
        if (isStatus(error, "NotFound")) return undefined;
        throw error;
      }
    },
  };
}
