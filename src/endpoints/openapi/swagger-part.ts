import { printJsonByEngine, printJsonString } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Turns } from "../../event-loop/turns.js";
import { documentProtobuf } from "./document-encoders.js";
import { encodeDocumentV2 } from "./protobuf-v2.js";

/** Members of a JSON object, each printed with its name: `"Pod":{…}`. */
export type PrintedMembers = ReadonlyMap<string, Uint8Array>;

export interface PrintedPart {
  /** By the name of their section: its paths as members of an object, sorted and separated by commas. */
  readonly paths: ReadonlyMap<string, Uint8Array>;
  readonly definitions: PrintedMembers;
}

/** The contribution of a part of the API to the Swagger document. */
export interface SwaggerPart {
  json(): Promise<PrintedPart>;
  /** A fragment of the whole message. */
  protobuf(): Promise<Uint8Array>;
}

/** A part before it is printed. */
export interface DescribedPart {
  /** By the name of their section. */
  readonly paths: ReadonlyMap<string, JsonObject>;
  readonly definitions: JsonObject;
}

/** A part whose document is made on demand, once for each form. */
export class RenderedPart implements SwaggerPart {
  readonly #describe: () => Promise<DescribedPart>;
  readonly #turns: Turns;
  #json: Promise<PrintedPart> | undefined;
  #protobuf: Promise<Uint8Array> | undefined;

  constructor(describe: () => Promise<DescribedPart>, turns: Turns) {
    this.#describe = describe;
    this.#turns = turns;
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
    const { paths, definitions } = await this.#describe();
    const printed = new Map<string, Uint8Array>();
    for (const [section, items] of paths) {
      const members = [...(await this.#printMembers(items))].sort(([a], [b]) => (a < b ? -1 : 1));
      await this.#turns.step();
      if (members.length > 0) printed.set(section, Buffer.concat(separated(members)));
    }
    return { paths: printed, definitions: await this.#printMembers(definitions) };
  }

  async #printMembers(object: JsonObject): Promise<PrintedMembers> {
    const printed = new Map<string, Uint8Array>();
    for (const [name, member] of Object.entries(object)) {
      printed.set(name, Buffer.from(`${printJsonString(name)}:${printJsonByEngine(member)}`));
      await this.#turns.step();
    }
    return printed;
  }

  async #encode(): Promise<Uint8Array> {
    const { paths, definitions } = await this.#describe();
    const pieces: Uint8Array[] = [];
    for (const items of paths.values()) {
      pieces.push(await documentProtobuf({ paths: items }, encodeDocumentV2, this.#turns));
    }
    pieces.push(await documentProtobuf({ definitions }, encodeDocumentV2, this.#turns));
    return Buffer.concat(pieces);
  }
}

const comma = Buffer.from(",");

/** The members with commas between them. */
export function separated(members: readonly (readonly [string, Uint8Array])[]): Uint8Array[] {
  return members.flatMap(([, bytes], index) => (index === 0 ? [bytes] : [comma, bytes]));
}
