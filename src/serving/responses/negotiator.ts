import { noSuchRepresentation, notAcceptable } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast, newestLevel } from "../../apimachinery/levels/api-level.js";
import { acceptedRanges, type MediaRange, parseAccept } from "../../apimachinery/requests/media-range.js";
import { percentDecode } from "../../apimachinery/requests/percent-decode.js";
import { parseMediaTypeName } from "../../naming/media-types.js";
import type { Naming } from "../../naming/naming.js";
import { isMetaGroup } from "../../naming/qualified-names.js";
import { partialKind, partialListKind } from "./partial-metadata.js";

export type Representation = "json" | "yaml" | "protobuf" | "cbor";

/** `as`, `g` and `v` of a media type: answer with another kind. */
export interface Transform {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

/** The representations that an endpoint offers. */
export interface EndpointOffer {
  /** In order of preference, which is also the order in a 406. */
  readonly representations: readonly Representation[];
  /** Whether the answer is a stream of events (`stream=watch`); there is no such form of YAML. */
  readonly stream: boolean;
  /**
   * Whether a client has to name a representation, as for built-in kinds: Kubernetes' router for them compares names before anything is
   * negotiated, and knows no wildcard but the one for everything. Default false.
   */
  readonly namesTypes?: boolean;
  /** Whether the same path streams too, so that a refusal by that router lists both forms. Default false. */
  readonly alsoStreams?: boolean;
  /** Whether the object itself can have this form; default always. */
  allowsPlain?(representation: Representation): boolean;
  allowsTransform(transform: Transform, representation: Representation): boolean;
}

export interface Negotiated {
  readonly representation: Representation;
  /** Media type of the answer, under the name that the client used. */
  readonly contentType: string;
  readonly transform: Transform | undefined;
  /** `pretty=1` among the media type's parameters. */
  readonly pretty: boolean;
  /** All parameters of the chosen media type; empty for a wildcard or without `Accept`. */
  readonly parameters: ReadonlyMap<string, string>;
}

const everyRepresentation: readonly Representation[] = ["json", "yaml", "protobuf", "cbor"];

/**
 * Objects, lists and their tables; `protobuf: false` for custom resources, of which only the metadata has that form.
 */
export function objectOffer(options: {
  readonly protobuf: boolean;
  readonly table: boolean;
  readonly stream: boolean;
  /** See `EndpointOffer`; a stream always has it. */
  readonly alsoStreams?: boolean;
}): EndpointOffer {
  return {
    representations: everyRepresentation,
    stream: options.stream,
    namesTypes: options.protobuf,
    alsoStreams: options.stream || options.alsoStreams === true,
    allowsPlain: (representation) => options.protobuf || representation !== "protobuf",
    allowsTransform: (transform, representation) => {
      if (!isMetaGroup(transform.group)) return false;
      if (transform.version !== "v1" && transform.version !== "v1beta1") return false;
      if (transform.kind === "Table") return options.table && representation !== "protobuf";
      return transform.kind === partialKind || transform.kind === partialListKind;
    },
  };
}

/** For errors and everything else without another form. */
export const plainOffer: EndpointOffer = {
  representations: everyRepresentation,
  stream: false,
  allowsTransform: () => false,
};

/** How many answers are cached for each endpoint's offer; clients send few different headers. */
const rememberedMax = 64;
/** Longer headers are parsed each time: a client may send a megabyte. */
const rememberedLengthMax = 1024;

/**
 * Chooses the representation of an answer (apiserver `handlers/negotiation`): by quality, then exact names before
 * wildcards, then the client's order; a media type with a parameter that the endpoint cannot serve is passed over.
 */
export class Negotiator {
  readonly #naming: Naming;
  readonly #cbor: boolean;
  readonly #level: ApiLevel;
  readonly #remembered = new WeakMap<EndpointOffer, Map<string, Negotiated>>();

  /** `cbor`: whether that representation is offered at all. Default false. `level`: in whose words a request is refused. */
  constructor(naming: Naming, options: { readonly cbor?: boolean; readonly level?: ApiLevel } = {}) {
    this.#naming = naming;
    this.#cbor = options.cbor ?? false;
    this.#level = options.level ?? newestLevel;
  }

  /**
   * Throws 406 with the available media types. `accept` is the header, undefined when missing. `checkFirst` is called once Kubernetes'
   * router would have let the request pass, before a choice is refused; it may throw.
   */
  negotiate(accept: string | undefined, offer: EndpointOffer, checkFirst?: () => void): Negotiated {
    const chosen = this.find(accept, offer);
    if (chosen !== undefined) {
      checkFirst?.();
      return chosen;
    }
    const plain = { ...offer, stream: false };
    const names = this.supported(plain);
    const streams = offer.alsoStreams === true ? this.supported({ ...offer, stream: true }) : [];
    if (offer.namesTypes === true && !this.#isNamed(acceptedRanges(accept), offer)) {
      throw noSuchRepresentation(isAtLeast(this.#level, "1.25") ? [...names, ...streams] : undefined);
    }
    checkFirst?.();
    // Kubernetes looks for a representation of the objects first, then for one that can be a stream.
    const isStreamWanting = offer.stream && this.#choose(accept ?? "", plain) !== undefined;
    throw notAcceptable(isStreamWanting ? streams : names);
  }

  /** Undefined when the client accepts nothing of the offer. */
  find(accept: string | undefined, offer: EndpointOffer): Negotiated | undefined {
    const header = accept ?? "";
    if (header.length > rememberedLengthMax) return this.#choose(header, offer);
    let answers = this.#remembered.get(offer);
    if (answers === undefined) {
      answers = new Map();
      this.#remembered.set(offer, answers);
    }
    const known = answers.get(header);
    if (known !== undefined) return known;
    const chosen = this.#choose(header, offer);
    if (chosen === undefined) return undefined;
    if (answers.size >= rememberedMax) answers.clear();
    answers.set(header, chosen);
    return chosen;
  }

  /** Media types of an offer, by this server's own names. */
  supported(offer: EndpointOffer): readonly string[] {
    const usable = this.#offered(offer).filter((r) => !offer.stream || r !== "yaml");
    return usable.map((r) => {
      const name = this.#mediaType(r);
      if (!offer.stream) return name;
      return r === "cbor" ? `${name}${sequenceSuffix}` : `${name};stream=watch`;
    });
  }

  #choose(header: string, offer: EndpointOffer): Negotiated | undefined {
    if (header === "") {
      const [first] = this.#offered(offer);
      return first && this.#answer(first, this.#mediaType(first), undefined, noParameters, offer);
    }
    const ranges = parseAccept(header);
    if (offer.namesTypes === true && !this.#isNamed(ranges, offer)) return undefined;
    for (const range of ranges) {
      for (const representation of this.#offered(offer)) {
        const name = this.#matches(range, representation);
        if (name === undefined) continue;
        const transform = transformOf(range.parameters);
        if (!servesParameters(range.parameters, representation)) continue;
        const allowed =
          transform === undefined
            ? (offer.allowsPlain?.(representation) ?? true)
            : offer.allowsTransform(transform, representation);
        // Kubernetes looks for a streaming form only after it has chosen.
        if (allowed) return this.#answer(representation, name, transform, range.parameters, offer);
      }
    }
    return undefined;
  }

  /** Whether one of the ranges stands for everything, or is the name of a representation or of its stream. */
  #isNamed(ranges: readonly MediaRange[], offer: EndpointOffer): boolean {
    const offered: readonly (string | undefined)[] = this.#offered(offer);
    return ranges.some(({ type, subtype }) => {
      if (type === "*") return subtype === "*";
      const ofOne = subtype === `cbor${sequenceSuffix}` ? "cbor" : subtype;
      return offered.includes(parseMediaTypeName(`${type}/${ofOne}`));
    });
  }

  #answer(
    representation: Representation,
    name: string,
    transform: Transform | undefined,
    parameters: ReadonlyMap<string, string>,
    offer: EndpointOffer,
  ): Negotiated | undefined {
    if (offer.stream && representation === "yaml") return undefined;
    const contentType = offer.stream ? streamType(name, representation) : name;
    return { representation, contentType, transform, pretty: parameters.get("pretty") === "1", parameters };
  }

  /** The media type to answer with if `range` includes `representation`. */
  #matches(range: MediaRange, representation: Representation): string | undefined {
    if (range.subtype === "*") {
      const matches = range.type === "*" || range.type === "application";
      return matches ? this.#mediaType(representation) : undefined;
    }
    const name = `${range.type}/${range.subtype}`;
    return parseMediaTypeName(name) === representation ? name : undefined;
  }

  #offered({ representations }: EndpointOffer): readonly Representation[] {
    return this.#cbor ? representations : representations.filter((name) => name !== "cbor");
  }

  #mediaType(representation: Representation): string {
    return representation === "protobuf" ? this.#naming.protobufMediaType : `application/${representation}`;
  }
}

/** A sequence of CBOR documents has its own media type (RFC 8742). */
const sequenceSuffix = "-seq";

function streamType(name: string, representation: Representation): string {
  if (representation === "cbor") return `${name}${sequenceSuffix}`;
  return representation === "protobuf" ? `${name};stream=watch` : name;
}

const noParameters: ReadonlyMap<string, string> = new Map();

function transformOf(parameters: ReadonlyMap<string, string>): Transform | undefined {
  const kind = parameters.get("as");
  const group = parameters.get("g");
  const version = parameters.get("v");
  if (kind === undefined && group === undefined && version === undefined) return undefined;
  return { kind: kind ?? "", group: group ?? "", version: version ?? "" };
}

/** `sv`, another server's version of the generic types, is not supported. */
function servesParameters(parameters: ReadonlyMap<string, string>, representation: Representation): boolean {
  const stream = parameters.get("stream") ?? "";
  if (stream !== "" && (stream !== "watch" || representation === "yaml")) return false;
  return (parameters.get("sv") ?? "") === "";
}

/** Length of `true` with every character encoded. */
const trueLengthMax = 12;

/**
 * Whether to indent JSON: `?pretty=` decides; without it, programs that people use interactively get indented JSON. `query` is the
 * part of the target after the question mark.
 */
export function prettyAsked(query: string, userAgent: string | undefined): boolean {
  const [asked] = (query !== "" && /(?<=(?:^|&)pretty=)[^&]+/.exec(query)) || [];
  if (asked !== undefined) {
    return asked.length <= trueLengthMax && /^(1|t|T|true|TRUE|True)$/.test(percentDecode(asked));
  }
  return userAgent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}
