import { forbiddenError, pathNotFound, StatusError } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { GroupVersion, ObjectMeta } from "../../apimachinery/objects/meta.js";
import type { MessageCodec } from "../../apimachinery/schema/codec.js";
import type { ConvertRemotely } from "../../apis/apiextensions/custom-resource/converter.js";
import type { CustomObject } from "../../apis/apiextensions/custom-resource/custom-object.js";
import {
  type DefinitionSummary,
  isInstalled,
} from "../../apis/apiextensions/custom-resource/definition-summary.js";
import { customResource } from "../../apis/apiextensions/custom-resource/resource.js";
import type { CustomValidation } from "../../apis/apiextensions/custom-resource/schema-errors.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from "../../apis/gen/apiextensions-v1.js";
import type { Change, Lister } from "../../informers/informer.js";
import type { CatalogSource, OfferedVersion, ResourceOffer } from "../catalog/resource-offer.js";
import { compareVersions } from "../catalog/version-order.js";

export interface CustomResourceSourceParts {
  readonly catalog: CatalogSource;
  /** Prefix of the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  /** Audit annotations of requests to a deprecated version. */
  readonly deprecationAnnotations: ReadonlyMap<string, string>;
  readonly metaCodec: MessageCodec<ObjectMeta>;
  readonly definitions: Lister<DefinitionSummary>;
  /** Whether built-in kinds are served in a version. As in Kubernetes, definitions cannot add to it. */
  readonly isBuiltinVersion: (version: GroupVersion) => boolean;
  /** How a definition's objects are converted by its webhook; undefined when it has none. */
  readonly convertOf: (definition: CustomResourceDefinition) => ConvertRemotely | undefined;
  readonly validation: CustomValidation;
  /** Called when a definition cannot be served. */
  readonly onFailure: (definition: string, error: unknown) => void;
}

/** Offers the catalog the resources of stored definitions, and withdraws them when the definitions are deleted. */
export class CustomResourceSource {
  readonly #parts: CustomResourceSourceParts;
  /** Offered resources by the name of their definition, with what decides how they are served. */
  readonly #offered = new Map<
    string,
    { readonly text: string; readonly group: string; readonly resource: string }
  >();

  /** Creates in progress, by the name of the definition. */
  readonly #creates = new Map<string, number>();

  constructor(parts: CustomResourceSourceParts) {
    this.#parts = parts;
  }

  /**
   * Creates of a definition's objects that are in progress and may still be stored. No new one begins once the definition is terminating.
   */
  createsUnderWay(definition: string): number {
    return this.#creates.get(definition) ?? 0;
  }

  /** Call it with each change of a definition. */
  change({ key, value }: Change<DefinitionSummary>): void {
    if (value === undefined || !isInstalled(value)) {
      this.#withdraw(key);
      return;
    }
    const text = JSON.stringify([value.uid, value.generation, value.acceptedNames]);
    const before = this.#offered.get(key);
    if (before?.text === text) return;
    try {
      this.#parts.catalog.publish({ offered: [this.#offer(value)] });
      this.#offered.set(key, { text, group: value.group, resource: value.acceptedNames.plural });
    } catch (error) {
      this.#parts.onFailure(key, error);
    }
  }

  #withdraw(key: string): void {
    const offered = this.#offered.get(key);
    if (offered === undefined) return;
    this.#offered.delete(key);
    this.#parts.catalog.publish({ withdrawn: [offered] });
  }

  #offer(summary: DefinitionSummary): ResourceOffer {
    const { prefix, metaCodec, isBuiltinVersion } = this.#parts;
    const { name, openApiSchema, schemaText, outline: crd } = summary;
    const { toStorageVersion, ...made } = customResource(crd, {
      prefix,
      metaCodec,
      openApiSchema,
      schemaText,
      convert: this.#parts.convertOf(crd),
      validation: this.#parts.validation,
    });
    // Custom objects are API objects.
    const { definition, codec } = made as unknown as Pick<ResourceOffer, "definition" | "codec">;
    const served = (crd.spec.versions ?? []).filter(
      ({ name, served }) => served && !isBuiltinVersion({ group: crd.spec.group, version: name }),
    );
    const newest = newestVersion(served);
    return {
      definition,
      codec,
      served: served.flatMap((version) => this.#served(version, definition, summary, newest)),
      hooks: {
        beforeCreate: async (_context, { metadata }) => {
          const now = this.#parts.definitions.get(name);
          // The definition was deleted while the request waited: a stored object would be orphaned.
          if (now?.uid !== summary.uid) throw pathNotFound();
          if (now.isTerminating) throw this.#isTerminating(definition, metadata.name ?? "");
          return this.#beginCreate(name);
        },
        ...(toStorageVersion !== undefined && {
          current: (context, object: CustomObject) => toStorageVersion(object, context.signal),
        }),
      },
    };
  }

  /** 403, and 405 before 1.34, as kube-apiserver answers. */
  #isTerminating({ group, resource }: ResourceDefinition, name: string): StatusError {
    const message = "create not allowed while custom resource definition is terminating";
    if (isAtLeast(this.#parts.validation.level, "1.34")) {
      return forbiddenError({ group, resource }, name, message);
    }
    return new StatusError({ message, reason: "MethodNotAllowed", code: 405 });
  }

  #beginCreate(name: string): () => Promise<void> {
    this.#creates.set(name, this.createsUnderWay(name) + 1);
    return async () => {
      const left = this.createsUnderWay(name) - 1;
      if (left > 0) this.#creates.set(name, left);
      else this.#creates.delete(name);
    };
  }

  #served(
    { name, deprecated, deprecationWarning }: CustomResourceDefinitionVersion,
    definition: ResourceDefinition,
    { openApiSchema, specHash, acceptedNames }: DefinitionSummary,
    newest: string | undefined,
  ): OfferedVersion[] {
    const version = definition.versions.find((candidate) => candidate.version === name);
    if (version === undefined) return [];
    return [
      {
        version,
        ...(deprecated === true && {
          deprecationWarning: deprecationWarning ?? deprecationOf(name, definition, newest),
          deprecationAnnotations: this.#parts.deprecationAnnotations,
        }),
        schema: () => openApiSchema(name) ?? {},
        fingerprint: () => JSON.stringify([specHash(), acceptedNames]),
      },
    ];
  }
}

/** The newest version that is not deprecated. */
function newestVersion(versions: readonly CustomResourceDefinitionVersion[]): string | undefined {
  const [newest] = versions
    .filter(({ deprecated }) => deprecated !== true)
    .map(({ name }) => name)
    .sort(compareVersions);
  return newest;
}

/** Recommends the newest version, if it is newer than this one. */
function deprecationOf(
  name: string,
  { group, kind }: ResourceDefinition,
  newest: string | undefined,
): string {
  const isNewer = newest !== undefined && compareVersions(newest, name) < 0;
  return `${group}/${name} ${kind} is deprecated${isNewer ? `; use ${group}/${newest} ${kind}` : ""}`;
}
