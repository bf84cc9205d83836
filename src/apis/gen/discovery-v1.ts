// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { ObjectReference as CoreV1ObjectReference } from "./core-v1.js";
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface EndpointSlice {
  metadata: ObjectMeta;
  addressType: OpenEnum<"IPv4" | "IPv6" | "FQDN">;
  endpoints?: Endpoint[] | undefined;
  ports?: EndpointPort[] | undefined;
}

export interface Endpoint {
  addresses?: string[] | undefined;
  conditions: EndpointConditions;
  hostname?: string | undefined;
  targetRef?: CoreV1ObjectReference | undefined;
  deprecatedTopology?: { [key: string]: string } | undefined;
  nodeName?: string | undefined;
  zone?: string | undefined;
  hints?: EndpointHints | undefined;
}

export interface EndpointConditions {
  ready?: boolean | undefined;
  serving?: boolean | undefined;
  terminating?: boolean | undefined;
}

export interface EndpointHints {
  forZones?: ForZone[] | undefined;
  forNodes?: ForNode[] | undefined;
}

export interface ForZone {
  name: string;
}

export interface EndpointPort {
  name?: string | undefined;
  protocol?: OpenEnum<"TCP" | "UDP" | "SCTP"> | undefined;
  port?: number | undefined;
  appProtocol?: string | undefined;
}

export interface EndpointSliceList {
  metadata: ListMeta;
  items?: EndpointSlice[] | undefined;
}

export interface ForNode {
  name: string;
}
