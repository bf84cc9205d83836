import { apiVersionOf } from "../../apimachinery/meta.js";
import type { Naming } from "../../naming/naming.js";
import type { ApiCatalog, ServedGroup, ServedResource, ServedVersion } from "../api-catalog.js";
import type { ExtensionServer } from "../catalog/extension-server.js";
import type { ApiBody, ApiOperation, ApiPath } from "./api-path.js";
import type { DefinitionNames } from "./definition-names.js";
import { type ResourcePathsParts, resourcePaths, versionWords } from "./resource-paths.js";

/** A part of the API with a document of its own in OpenAPI 3: `api/v1`, `apis/apps`, `version`. */
export interface Section {
  readonly name: string;
  /** What the paths are made from: as long as it is the same object, so are they. */
  readonly of: object;
  /** Resources whose schemas came with them, and are no declared types. */
  readonly custom: readonly ServedResource[];
  /** The other server that describes the section. */
  readonly extension?: ExtensionServer | undefined;
  paths(parts: ResourcePathsParts): Iterable<ApiPath>;
}

export interface SectionsParts {
  readonly naming: Naming;
  /** Whether the issuer of service account tokens tells its keys. */
  readonly issuerDiscovery: boolean;
}

/** The API in the order of its paths' names. */
export function sectionsOf(catalog: ApiCatalog, parts: SectionsParts): Section[] {
  const { naming } = parts;
  const sections: Section[] = [
    { name: "apis", of: groupList, custom: [], paths: () => [discoveryPath(naming, "/apis/", groupList)] },
    { name: "version", of: versionPath, custom: [], paths: ({ names }) => [versionPath(names)] },
    ...(parts.issuerDiscovery ? issuerSections : []),
  ];
  for (const group of catalog.groups()) {
    const root = group.group === "" ? "api" : `apis/${group.group}`;
    const document = group.group === "" ? coreVersions : oneGroup(naming, group);
    sections.push({
      name: root,
      of: group,
      custom: [],
      paths: () => [discoveryPath(naming, `/${root}/`, document)],
    });
    for (const version of group.versions) {
      const name = `${root}/${version.version}`;
      const { extension } = version;
      if (extension !== undefined) {
        sections.push({ name, of: version, custom: [], extension, paths: () => [] });
        continue;
      }
      const custom = [...version.resources.values()].filter(({ schema }) => schema !== undefined);
      sections.push({
        name,
        of: version,
        custom,
        paths: (given) => versionPaths(given, name, group, version),
      });
    }
  }
  return sections.sort((a, b) => (a.name < b.name ? -1 : 1));
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
  yield discoveryPath(naming, `/${name}/`, resources);
  for (const resource of served.resources.values()) yield* resourcePaths(parts, resource);
}

interface DiscoveryDocument {
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** Of the package `meta/v1`. */
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
