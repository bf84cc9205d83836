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
    help: `Minor version of the API to serve, from ${oldestLevel} to ${newestLevel}.`,
    check: (level, flag) =>
      isApiLevel(level)
        ? undefined
        : `${flag}: invalid value ${JSON.stringify(level)}, allowed values: ${apiLevels.join(", ")}`,
  }),
  "emulated-version": {
    ...custom(emulatedVersion, {
      default: undefined,
      help: "Version to emulate instead of the server's own, such as 1.33. May be one minor version older at 1.31 and 1.32, and up to three at later levels.",
    }),
    since: "1.31",
  },
  "min-compatibility-version": {
    ...custom(emulatedVersion, {
      default: undefined,
      help: "Oldest version among the servers of the cluster. Stored objects and new CEL expressions stay readable for that version. May be up to three minor versions older than the server's own version. Defaults to one older than the emulated version.",
    }),
    since: "1.35",
  },
  "emulation-forward-compatible": {
    ...withoutEffect(
      bool({
        default: false,
        help: "Would also serve API versions that are newer than the emulated version. Has no effect.",
      }),
    ),
    since: "1.33",
  },
  "runtime-config-emulation-forward-compatible": {
    ...withoutEffect(
      bool({
        default: false,
        help: "Would let --runtime-config enable APIs that are newer than the emulated version. Has no effect.",
      }),
    ),
    since: "1.33",
  },
  "runtime-config": custom(configurationMap, {
    default: new Map(),
    help: "Enables or disables built-in APIs, as key=true|false. Keys: v1 (the core group), GROUP/VERSION, GROUP/VERSION/RESOURCE, api/all, api/ga (versions such as v1), api/beta (such as v1beta1), api/alpha (such as v1alpha1), api/legacy (deprecated). The most specific key takes precedence.",
  }),
  "feature-gates": custom(featureGateSettings, {
    default: new Map(),
    help: "Enables or disables features, as Name=true|false.",
  }),
});
