// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { GroupVersionKind, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface APIGroupDiscovery {
  metadata: ObjectMeta;
  versions?: APIVersionDiscovery[] | undefined;
}

export interface APIGroupDiscoveryList {
  metadata: ListMeta;
  items?: APIGroupDiscovery[] | undefined;
}

export interface APIResourceDiscovery {
  resource: string;
  responseKind?: GroupVersionKind | undefined;
  scope: string;
  singularResource: string;
  verbs?: string[] | undefined;
  shortNames?: string[] | undefined;
  categories?: string[] | undefined;
  subresources?: APISubresourceDiscovery[] | undefined;
}

export interface APISubresourceDiscovery {
  subresource: string;
  responseKind?: GroupVersionKind | undefined;
  acceptedTypes?: GroupVersionKind[] | undefined;
  verbs?: string[] | undefined;
}

export interface APIVersionDiscovery {
  version: string;
  resources?: APIResourceDiscovery[] | undefined;
  freshness?: string | undefined;
}
