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
    help: "Directory for the server's files: store/ (the embedded store), pki/ (certificates, when the default of --cert-dir is not writable), admin.kubeconfig.",
  }),
  "write-kubeconfig": text({
    help: "File to write a client configuration to, with a certificate in the group system:masters. Signed by a CA of the server's own, which is then trusted beside that of --client-ca-file.",
  }),
  "api-profile": choice<ProfileName>(profileNames, {
    default: (naming) => naming.profile,
    help: `Whose names the API speaks: ${profileNames.join(" or ")}. When not given, the command's name decides.`,
  }),
  console: choice<ConsolePlace>(consolePlaces, {
    default: "loopback",
    help: "Whether to serve the console, a page at /console where users sign in to see and edit objects: loopback (when --bind-address is a loopback address), on or off.",
  }),
  controllers: strings({
    default: ["*"],
    help: `Controllers to run: * for all, NAME for one, -NAME for all but one. Controllers: ${controllerNames.join(", ")}.`,
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
