import { printJsonByEngine, printJsonString } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { collect } from "../../event-loop/collect.js";
import { encodeDocumentV2 } from "./protobuf-v2.js";

/** Members of a JSON object, each printed with its name: `"Pod":{…}`. */
export type PrintedMembers = ReadonlyMap<string, Uint8Array>;

export interface PrintedPart {
  /** By section name: its paths as members of an object, sorted and separated by commas. */
  readonly paths: ReadonlyMap<string, Uint8Array>;
  readonly definitions: PrintedMembers;
  /** Those that paths refer to. */
  readonly parameters: PrintedMembers;
}

/** What one part of the API adds to the Swagger document. */
export interface SwaggerPart {
  json(): Promise<PrintedPart>;
  /** A fragment of the whole message. */
  protobuf(): Promise<Uint8Array>;
}

/** A part before it is printed. */
export interface DescribedPart {
  /** By section name. */
  readonly paths: ReadonlyMap<string, JsonObject>;
  readonly definitions: JsonObject;
  readonly parameters: JsonObject;
}

/** A part that is rendered on demand, once per format. */
export class RenderedPart implements SwaggerPart {
  readonly #describe: () => Promise<DescribedPart>;
  #json: Promise<PrintedPart> | undefined;
  #protobuf: Promise<Uint8Array> | undefined;

  constructor(describe: () => Promise<DescribedPart>) {
    this.#describe = describe;
  }

  json(): Promise<PrintedPart> {
    this.#json ??= this.#print();
    return this.#json;
  }

  protobuf(): Promise<Uint8Array> {
    this.#protobuf ??= this.#encode();
    return this.#protobuf;
  }

  async #print(): Promise<PrintedPart> {
    const { paths, definitions, parameters } = await this.#describe();
    const printed = new Map<string, Uint8Array>();
    for (const [section, items] of paths) {
      const members = (await collect(printedMembers(items))).sort(([a], [b]) => (a < b ? -1 : 1));
      if (members.length > 0) printed.set(section, Buffer.concat(separated(members)));
    }
    return {
      paths: printed,
      definitions: new Map(await collect(printedMembers(definitions))),
      parameters: new Map(printedMembers(parameters)),
    };
  }

  async #encode(): Promise<Uint8Array> {
    const { paths, definitions, parameters } = await this.#describe();
    const documents = [
      ...[...paths.values()].map((items) => ({ paths: items })),
      { definitions, ...(Object.keys(parameters).length > 0 && { parameters }) },
    ];
    const encoded: Uint8Array[] = [];
    for (const document of documents) encoded.push(await encodeDocumentV2(document));
    return Buffer.concat(encoded);
  }
}

function* printedMembers(object: JsonObject): Iterable<readonly [name: string, printed: Uint8Array]> {
  for (const [name, member] of Object.entries(object)) {
    yield [name, Buffer.from(`${printJsonString(name)}:${printJsonByEngine(member)}`)];
  }
}

const comma = Buffer.from(",");

/** The members with commas between them. */
export function separated(members: readonly (readonly [string, Uint8Array])[]): Uint8Array[] {
  return members.flatMap(([, bytes], index) => (index === 0 ? [bytes] : [comma, bytes]));
}
