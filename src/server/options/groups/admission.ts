import { type AdmissionPluginName, pluginTable } from "../../../admission/plugin-table.js";
import { type ApiLevel, hasLevel, whyNotAt } from "../../../apimachinery/levels/api-level.js";
import { optionGroup } from "../option.js";
import { choices, text } from "../value-types.js";

const names = pluginTable.map(({ name }) => name);
const byDefault = pluginTable.filter((plugin) => plugin.byDefault).map(({ name }) => name);

export const admission = optionGroup("Admission", {
  "enable-admission-plugins": choices(names, {
    itemName: "plugin",
    help: `Admission plugins to enable in addition to the defaults (${byDefault.join(", ")}). Order does not matter. All plugins: ${names.join(", ")}.`,
    check: pluginsOfLevel,
  }),
  "disable-admission-plugins": choices(names, {
    itemName: "plugin",
    help: "Admission plugins to disable although they are enabled by default. Order does not matter.",
    check: pluginsOfLevel,
  }),
  "admission-control": choices(names, {
    deprecatedSince: "1.24",
    itemName: "plugin",
    help: "Deprecated: the admission plugins to run, instead of the defaults. Order does not matter. Cannot be combined with --enable-admission-plugins or --disable-admission-plugins.",
    check: pluginsOfLevel,
  }),
  "admission-control-config-file": text({
    help: "File with an AdmissionConfiguration, which configures single plugins inline or names a file for each.",
  }),
});

function pluginsOfLevel(
  plugins: readonly AdmissionPluginName[],
  flag: string,
  level: ApiLevel,
): string | undefined {
  const other = pluginTable.find((plugin) => plugins.includes(plugin.name) && !hasLevel(plugin, level));
  if (other !== undefined) {
    const when = whyNotAt(other, level);
    return `${flag}: plugin "${other.name}" does not exist at API level ${level}: it ${when}`;
  }
  const repeated = plugins.find((name, index) => plugins.indexOf(name) !== index);
  return repeated === undefined ? undefined : `${flag}: plugin "${repeated}" is named twice`;
}

/** The admission plugins to enable and disable, relative to the defaults. */
export function admissionPluginSelection(options: {
  readonly admissionControl: readonly AdmissionPluginName[];
  readonly enableAdmissionPlugins: readonly AdmissionPluginName[];
  readonly disableAdmissionPlugins: readonly AdmissionPluginName[];
}): { readonly enabled: readonly AdmissionPluginName[]; readonly disabled: readonly AdmissionPluginName[] } {
  const { admissionControl: only } = options;
  return only.length > 0
    ? { enabled: only, disabled: byDefault }
    : { enabled: options.enableAdmissionPlugins, disabled: options.disableAdmissionPlugins };
}
