import { apiLevels, isApiLevel, newestLevel, oldestLevel } from "../../../apimachinery/levels/api-level.js";
import { featureGateSettings } from "../feature-gates.js";
import { configurationMap } from "../key-value-types.js";
import { optionGroup } from "../option.js";
import { choice, custom } from "../value-types.js";

export const versioning = optionGroup("Versioning", {
  "api-level": choice(apiLevels, {
    default: oldestLevel,
    help: `Version of the API that the server has: ${oldestLevel} to ${newestLevel}.`,
    check: (level, flag) =>
      isApiLevel(level)
        ? undefined
        : `${flag}: invalid value ${JSON.stringify(level)}, allowed values: ${apiLevels.join(", ")}`,
  }),
  "runtime-config": custom(configurationMap, {
    default: new Map(),
    help: "Switches built-in APIs on and off, as key=true|false. Keys: v1 (the core group), GROUP/VERSION, GROUP/VERSION/RESOURCE, api/all, api/ga (versions like v1), api/beta (v1beta1), api/alpha (v1alpha1), api/legacy (deprecated). The more particular key wins.",
  }),
  "feature-gates": custom(featureGateSettings, {
    default: new Map(),
    help: "Switches features on and off, as Name=true|false.",
  }),
});
