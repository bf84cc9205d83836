import { type ProfileName, profileNames } from "../../../naming/naming.js";
import { optionGroup } from "../option.js";
import { choice, strings, text } from "../value-types.js";

/** The controllers that `--controllers` switches; all are on by default. */
const controllerNames = [
  "apiserver-service",
  "clusterrole-aggregation",
  "garbagecollector",
  "legacy-serviceaccount-token-cleaner",
  "namespace",
  "podgroup-protection",
  "pv-protection",
  "pvc-protection",
  "resourcequota",
  "root-ca-cert-publisher",
  "service-cidrs",
  "serviceaccount",
  "serviceaccount-token",
  "storage-version-gc",
  "storage-version-migrator",
  "vac-protection",
] as const;
export type ControllerName = (typeof controllerNames)[number];

/** For which bind addresses the console is served. */
const consolePlaces = ["loopback", "on", "off"] as const;
export type ConsolePlace = (typeof consolePlaces)[number];

export const local = optionGroup("This server", {
  "data-dir": text({
    default: "./.orch",
    help: "Directory for the server's files: store/ (the embedded store), pki/ (certificates, when the default --cert-dir is not writable) and admin.kubeconfig.",
  }),
  "write-kubeconfig": text({
    help: "File to write an administrator's kubeconfig to, with a client certificate of the group system:masters. The server's own CA signs it, and is then trusted in addition to --client-ca-file.",
  }),
  "api-profile": choice<ProfileName>(profileNames, {
    default: (naming) => naming.profile,
    help: `Profile that names API groups, namespaces, labels and the like: ${profileNames.join(" or ")}. Defaults to the profile of the command.`,
  }),
  console: choice<ConsolePlace>(consolePlaces, {
    default: "loopback",
    help: "When to serve the console at /console, a web page where users sign in to view and edit objects: loopback (only when --bind-address is a loopback address), on or off.",
  }),
  controllers: strings({
    default: ["*"],
    help: `Controllers to run: * enables all, NAME enables one, -NAME disables one. Controllers: ${controllerNames.join(", ")}.`,
    check: (items, flag) => {
      const names: readonly string[] = ["*", ...controllerNames];
      const bad = items.find((item) => !names.includes(item.replace(/^-/, "")) || item === "-*");
      return bad === undefined
        ? undefined
        : `${flag}: controller ${JSON.stringify(bad)} is unknown, allowed values: *, ${controllerNames.join(", ")}`;
    },
  }),
});

/**
 * Whether `--controllers` enables `name`: by its own name first, else by `*`. Source: the controller manager's option of the same
 * name.
 */
export function isControllerSelected(name: ControllerName, items: readonly string[]): boolean {
  if (items.includes(name)) return true;
  if (items.includes(`-${name}`)) return false;
  return items.includes("*");
}
