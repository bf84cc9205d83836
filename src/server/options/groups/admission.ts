import { type AdmissionPluginName, pluginTable } from "../../../admission/plugin-table.js";
import { type ApiLevel, hasLevel, whyNotAt } from "../../../apimachinery/levels/api-level.js";
import { optionGroup } from "../option.js";
import { choices, text } from "../value-types.js";

const names = pluginTable.map(({ name }) => name);
const byDefault = pluginTable.filter((plugin) => plugin.byDefault).map(({ name }) => name);

export const admission = optionGroup("Admission", {
  "enable-admission-plugins": choices(names, {
    itemName: "plugin",
    help: `Admission plugins to use besides those that are on by default (${byDefault.join(", ")}). Their order does not matter. All plugins: ${names.join(", ")}.`,
    check: pluginsOfLevel,
  }),
  "disable-admission-plugins": choices(names, {
    itemName: "plugin",
    help: "Admission plugins not to use although they are on by default. Their order does not matter.",
    check: pluginsOfLevel,
  }),
  "admission-control": choices(names, {
    deprecatedSince: "1.24",
    itemName: "plugin",
    help: "Deprecated: the admission plugins to use, and no others. Their order does not matter. Not together with --enable-admission-plugins and --disable-admission-plugins.",
    check: pluginsOfLevel,
  }),
  "admission-control-config-file": text({
    help: "File with the AdmissionConfiguration: the configuration of the plugins that take one, inline or in files of their own.",
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
    return `${flag}: plugin "${other.name}" is not there at API level ${level}, it ${when}`;
  }
  const repeated = plugins.find((name, index) => plugins.indexOf(name) !== index);
  return repeated === undefined ? undefined : `${flag}: plugin "${repeated}" is named twice`;
}

/** The admission plugins to switch on and off, relative to the defaults. */
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
