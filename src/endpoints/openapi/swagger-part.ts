import { printJson, printJsonString } from "../../apimachinery/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json-value.js";
import { documentProtobuf } from "./document-encoders.js";
import { encodeDocumentV2 } from "./protobuf-v2.js";
import { Turns } from "./turns.js";

/** Members of a JSON object, each printed with its name: `"Pod":{…}`. */
export type PrintedMembers = ReadonlyMap<string, Uint8Array>;

export interface PrintedPart {
  readonly paths: PrintedMembers;
  readonly definitions: PrintedMembers;
}

/** What a part of the API adds to the Swagger document. */
export interface SwaggerPart {
  json(): Promise<PrintedPart>;
  /** A fragment of the whole message. */
  protobuf(): Promise<Uint8Array>;
}

/** A part whose document is made when it is asked for, once for each form. */
export class RenderedPart implements SwaggerPart {
  readonly #render: () => Promise<JsonObject>;
  #json: Promise<PrintedPart> | undefined;
  #protobuf: Promise<Uint8Array> | undefined;

  /** `render` makes an object with `paths` and `definitions`. */
  constructor(render: () => Promise<JsonObject>) {
    this.#render = render;
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
    const { paths, definitions } = await this.#render();
    return { paths: await printMembers(paths), definitions: await printMembers(definitions) };
  }

  async #encode(): Promise<Uint8Array> {
    const { paths = {}, definitions = {} } = await this.#render();
    return await documentProtobuf({ paths, definitions }, encodeDocumentV2);
  }
}

const membersPerTurn = 32;

async function printMembers(value: JsonValue | undefined): Promise<PrintedMembers> {
  const turns = new Turns(membersPerTurn);
  const printed = new Map<string, Uint8Array>();
  for (const [name, member] of Object.entries(isJsonObject(value) ? value : {})) {
    printed.set(name, Buffer.from(`${printJsonString(name)}:${printJson(member, { htmlEscape: false })}`));
    await turns.step();
  }
  return printed;
}
