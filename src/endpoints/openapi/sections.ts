import { apiVersionOf } from "../../apimachinery/objects/meta.js";
import type { Naming } from "../../naming/naming.js";
import type { ServedGroup, ServedResource, ServedVersion } from "../catalog/api-catalog.js";
import type { ExtensionServer } from "../catalog/extension-server.js";
import type { ApiBody, ApiOperation, ApiPath } from "./api-path.js";
import type { DefinitionNames } from "./definition-names.js";
import { type ResourcePathsParts, versionWords } from "./resource-operations.js";
import { resourcePaths } from "./resource-paths.js";

/** A part of the API with its own document in OpenAPI 3: `api/v1`, `apis/apps`, `version`. */
export interface Section {
  readonly name: string;
  /** The source of the paths; the same object as long as the paths are the same. */
  readonly of: object;
  /** Resources that bring their own schemas instead of declared types. */
  readonly custom: readonly ServedResource[];
  /** Whether it describes only declared types, so that it changes only with them. */
  readonly isBuiltin: boolean;
  /** Whether it describes declared types beyond those that all sections share. */
  readonly declaresTypes: boolean;
  /** A text that changes with the document; undefined if only the content shows a change. */
  readonly fingerprint?: (() => string) | undefined;
  /** The other server that describes the section. */
  readonly extension?: ExtensionServer | undefined;
  paths(parts: ResourcePathsParts): Iterable<ApiPath>;
}

interface OptionalSections {
  readonly issuerDiscovery?: boolean | undefined;
  readonly logFiles?: boolean | undefined;
}

/** Sections that do not depend on what is served below `/api` and `/apis`. */
export function fixedSections(
  naming: Naming,
  { issuerDiscovery = false, logFiles = false }: OptionalSections,
): Section[] {
  const fixed = { custom: [], isBuiltin: true, declaresTypes: false } as const;
  return [
    {
      ...fixed,
      name: "apis",
      of: groupList,
      paths: () => [discoveryPath(naming, "/apis/", groupList)],
    },
    { ...fixed, name: "version", of: versionPath, paths: ({ names }) => [versionPath(names)] },
    ...(issuerDiscovery ? issuerSections : []),
    ...(logFiles ? [logFilesSection] : []),
  ];
}

/** The group itself, and each of its versions. The discovery of custom resources is described nowhere, as in Kubernetes. */
export function sectionsOfGroup(naming: Naming, group: ServedGroup): Section[] {
  const root = group.group === "" ? "api" : `apis/${group.group}`;
  const document = group.group === "" ? coreVersions : oneGroup(naming, group);
  const hasBuiltin = group.versions.some(hasDeclaredTypes);
  const hasExtension = group.versions.some(({ extension }) => extension !== undefined);
  const ofGroup: Section = {
    name: root,
    of: group,
    custom: [],
    isBuiltin: hasBuiltin,
    declaresTypes: false,
    // Depends only on the name of the group.
    fingerprint: hasBuiltin ? undefined : () => "",
    paths: () => [discoveryPath(naming, `/${root}/`, document)],
  };
  return [
    ...(hasBuiltin || hasExtension ? [ofGroup] : []),
    ...group.versions.map((version): Section => {
      const name = `${root}/${version.version}`;
      const { extension } = version;
      const custom = [...version.resources.values()].filter(({ schema }) => schema !== undefined);
      return {
        name,
        of: version,
        custom,
        isBuiltin: extension === undefined && custom.length === 0,
        declaresTypes: hasDeclaredTypes(version),
        fingerprint: fingerprintOf(version),
        extension,
        paths: (given) => (extension === undefined ? versionPaths(given, name, group, version) : []),
      };
    }),
  ];
}

function fingerprintOf({ resources, extension }: ServedVersion): (() => string) | undefined {
  if (extension !== undefined) return undefined;
  const parts: (() => string)[] = [];
  for (const { fingerprint } of resources.values()) {
    if (fingerprint === undefined) return undefined;
    parts.push(fingerprint);
  }
  return () => JSON.stringify(parts.map((part) => part()));
}

/** Whether this server serves built-in kinds in the version, not only custom resources. */
export function hasDeclaredTypes({ resources, extension }: ServedVersion): boolean {
  if (extension !== undefined) return false;
  for (const { schema } of resources.values()) if (schema === undefined) return true;
  return false;
}

function* versionPaths(
  parts: ResourcePathsParts,
  name: string,
  { group }: ServedGroup,
  served: ServedVersion,
): Iterable<ApiPath> {
  const { naming } = parts;
  const { tag, title } = versionWords(naming, group, served.version);
  const resources: DiscoveryDocument = {
    id: `get${title}APIResources`,
    tag,
    description: `Lists the resources of ${apiVersionOf({ group, version: served.version })}.`,
    type: "APIResourceList",
  };
  if (hasDeclaredTypes(served)) yield discoveryPath(naming, `/${name}/`, resources);
  for (const resource of served.resources.values()) yield* resourcePaths(parts, resource);
}

interface DiscoveryDocument {
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** A type of the package `meta/v1`. */
  readonly type: string;
}

const coreVersions: DiscoveryDocument = {
  id: "getCoreAPIVersions",
  tag: "core",
  description: "Lists the versions of the core group.",
  type: "APIVersions",
};

const groupList: DiscoveryDocument = {
  id: "getAPIVersions",
  tag: "apis",
  description: "Lists the groups and their versions.",
  type: "APIGroupList",
};

function oneGroup(naming: Naming, { group }: ServedGroup): DiscoveryDocument {
  const { tag, title } = versionWords(naming, group, "");
  return {
    id: `get${title}APIGroup`,
    tag,
    description: `Lists the versions of the group ${group}.`,
    type: "APIGroup",
  };
}

function discoveryPath(naming: Naming, path: string, document: DiscoveryDocument): ApiPath {
  const mediaTypes = ["application/json", "application/yaml", naming.protobufMediaType];
  const of: ApiBody = { kind: "type", name: `meta/v1.${document.type}` };
  return { path, parameters: [], operations: [read(document, mediaTypes, of)] };
}

function versionPath(names: DefinitionNames): ApiPath {
  const about = {
    id: "getCodeVersion",
    tag: "version",
    description: "Says which version of the server runs.",
  };
  const of: ApiBody = { kind: "definition", name: names.versionInfo };
  return { path: "/version/", parameters: [], operations: [read(about, ["application/json"], of)] };
}

const logFilesSection: Section = {
  name: "logs",
  of: logFileRead,
  custom: [],
  isBuiltin: true,
  declaresTypes: false,
  paths: () => [
    { path: "/logs/", parameters: [], operations: [logFileRead("logFileListHandler", "Lists log files.")] },
    {
      path: "/logs/{logpath}",
      parameters: [{ name: "logpath", in: "path", type: "string", description: "Path of the file." }],
      operations: [logFileRead("logFileHandler", "Reads a log file.")],
    },
  ],
};

function logFileRead(id: string, description: string): ApiOperation {
  const operation = read({ id, tag: "logs", description }, [], { kind: "text" });
  return { ...operation, responses: [{ code: 401 }] };
}

const issuerSections: readonly Section[] = [
  textSection(".well-known/openid-configuration", "application/json", {
    id: "getServiceAccountIssuerOpenIDConfiguration",
    tag: "WellKnown",
    description: "Describes the issuer of service account tokens.",
  }),
  textSection("openid/v1/jwks", "application/jwk-set+json", {
    id: "getServiceAccountIssuerOpenIDKeyset",
    tag: "openid",
    description: "Tells the keys that service account tokens are signed with.",
  }),
];

function textSection(name: string, mediaType: string, about: Parameters<typeof read>[0]): Section {
  const operation = { ...read(about, [mediaType], { kind: "text" }), consumes: [] };
  return {
    name,
    of: about,
    custom: [],
    isBuiltin: true,
    declaresTypes: false,
    paths: () => [{ path: `/${name}/`, parameters: [], operations: [operation] }],
  };
}

function read(
  about: { readonly id: string; readonly tag: string; readonly description: string },
  mediaTypes: readonly string[],
  of: ApiBody,
): ApiOperation {
  return {
    method: "get",
    id: about.id,
    description: about.description,
    tags: [about.tag],
    parameters: [],
    consumes: mediaTypes,
    produces: mediaTypes,
    responses: [{ code: 200, of }, { code: 401 }],
  };
}
