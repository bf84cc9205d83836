import { internal } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { writesOf } from "../checks/writes-of.js";
import type { PluginContext } from "./plugin-context.js";

type Context = Pick<PluginContext, "naming" | "cluster" | "level">;

/** Sets the default storage class on claims without one. */
export function defaultStorageClass({ naming, cluster, level }: Context): AdmissionPlugin {
  const classes = defaultClasses(cluster, {
    of: "storageclasses.storage",
    kind: "StorageClass",
    picksNewest: isAtLeast(level, "1.26"),
    annotations: [
      `storageclass.${naming.domain}/is-default-class`,
      `storageclass.beta.${naming.domain}/is-default-class`,
    ],
  });
  const classAnnotation = `volume.beta.${naming.domain}/storage-class`;
  const writesClaim = writesOf("persistentvolumeclaims", naming);
  return {
    operations: ["CREATE"],
    mutate(attributes) {
      if (!writesClaim(attributes) || attributes.object === undefined) return;
      const { metadata, spec } = attributes.object;
      if (spec.storageClassName !== undefined || metadata.annotations?.[classAnnotation] !== undefined)
        return;
      spec.storageClassName = classes.find(attributes);
    },
  };
}

/** Sets the default ingress class on ingresses without one. */
export function defaultIngressClass({ naming, cluster, level }: Context): AdmissionPlugin {
  const writesIngress = writesOf("ingresses.networking", naming);
  const classes = defaultClasses(cluster, {
    of: "ingressclasses.networking",
    kind: "IngressClass",
    picksNewest: isAtLeast(level, "1.25"),
    annotations: [`ingressclass.${naming.domain}/is-default-class`],
  });
  const classAnnotation = `${naming.domain}/ingress.class`;
  return {
    operations: ["CREATE"],
    mutate(attributes) {
      if (!writesIngress(attributes) || attributes.object === undefined) return;
      const { metadata, spec } = attributes.object;
      if (spec.ingressClassName !== undefined || metadata.annotations?.[classAnnotation] !== undefined)
        return;
      spec.ingressClassName = classes.find(attributes);
    },
  };
}

interface ClassKind {
  readonly of: "storageclasses.storage" | "ingressclasses.networking";
  readonly kind: string;
  /** Whether several defaults are no problem. */
  readonly picksNewest: boolean;
  /** Any of these with the value `true` marks a default. */
  readonly annotations: readonly string[];
}

interface ClassView {
  readonly name: string;
  readonly created: string;
  readonly isDefault: boolean;
}

interface DefaultClasses {
  /** Undefined without a default class. When several are marked, the newest, or throws 403. */
  find(attributes: AdmissionAttributes): string | undefined;
}

/** The newer class; of classes created at the same time, the first by name. Timestamps of one format compare as text. */
function newerOf(a: ClassView, b: ClassView): ClassView {
  if (a.created !== b.created) return a.created > b.created ? a : b;
  return a.name < b.name ? a : b;
}

function defaultClasses(
  cluster: Context["cluster"],
  { of, kind, picksNewest, annotations }: ClassKind,
): DefaultClasses {
  const isDefault = ({ metadata }: ApiObject): boolean =>
    annotations.some((name) => metadata.annotations?.[name] === "true");
  const lister = cluster.follow(of, {
    view: (stored): ClassView => {
      const object = stored.decode();
      return {
        name: object.metadata.name ?? "",
        created: object.metadata.creationTimestamp ?? "",
        isDefault: isDefault(object),
      };
    },
    indexes: { isDefault: (view: ClassView) => (view.isDefault ? ["true"] : []) },
  });
  return {
    find(attributes) {
      const [found, ...others] = lister.find("isDefault", "true");
      if (found === undefined || others.length === 0) return found?.name;
      if (picksNewest) return others.reduce(newerOf, found).name;
      const plural = kind.endsWith("s") ? `${kind}es` : kind;
      const limit = kind === "IngressClass" ? ", only 1 allowed" : "";
      const why = `${others.length + 1} default ${plural} were found${limit}`;
      throw refused(attributes, internal(why).message);
    },
  };
}
