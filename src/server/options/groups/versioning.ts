import { apiLevels, isApiLevel, newestLevel, oldestLevel } from "../../../apimachinery/levels/api-level.js";
import { clientProfile } from "../../../naming/naming.js";
import { emulatedVersion } from "../emulated-version.js";
import { featureGateSettings } from "../feature-gates.js";
import { configurationMap } from "../key-value-types.js";
import { optionGroup, withoutEffect } from "../option.js";
import { bool, choice, custom } from "../value-types.js";

export const versioning = optionGroup("Versioning", {
  "api-level": choice(apiLevels, {
    // The level that current clients expect; the neutral profile stays at 1.23, the level of its contract.
    default: ({ profile }) => (profile === clientProfile ? "1.35" : oldestLevel),
    help: `Version of the API to serve: ${oldestLevel} to ${newestLevel}.`,
    check: (level, flag) =>
      isApiLevel(level)
        ? undefined
        : `${flag}: invalid value ${JSON.stringify(level)}, allowed values: ${apiLevels.join(", ")}`,
  }),
  "emulated-version": {
    ...custom(emulatedVersion, {
      default: undefined,
      help: "Version of the API that the server behaves as instead of its own: one minor version back at 1.31 and 1.32, then up to three.",
    }),
    since: "1.31",
  },
  "min-compatibility-version": {
    ...custom(emulatedVersion, {
      default: undefined,
      help: "Oldest version that another server of the cluster has: what is stored, and new expressions, can be read by it. At most three versions back, by default one.",
    }),
    since: "1.35",
  },
  "emulation-forward-compatible": {
    ...withoutEffect(
      bool({
        default: false,
        help: "Would also serve later versions of APIs than those of the emulated version.",
      }),
    ),
    since: "1.33",
  },
  "runtime-config-emulation-forward-compatible": {
    ...withoutEffect(
      bool({ default: false, help: "Would let --runtime-config name APIs later than the emulated version." }),
    ),
    since: "1.33",
  },
  "runtime-config": custom(configurationMap, {
    default: new Map(),
    help: "Switches built-in APIs on and off, as key=true|false. Keys: v1 (the core group), GROUP/VERSION, GROUP/VERSION/RESOURCE, api/all, api/ga (versions like v1), api/beta (v1beta1), api/alpha (v1alpha1), api/legacy (deprecated). The more specific key wins.",
  }),
  "feature-gates": custom(featureGateSettings, {
    default: new Map(),
    help: "Switches features on and off, as Name=true|false.",
  }),
});
