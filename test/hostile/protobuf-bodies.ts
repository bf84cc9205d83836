import type { HostileCase } from "./corpus.js";
import type { HostileRequest } from "./hostile-request.js";

const core = "/api/v1/namespaces/default";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
/** Below the limit of 3 MiB, with room for the rest of the body. */
const size = 3 * 1024 * 1024 - 2000;
/** The varint of -1 or of another integer of 64 bits. */
const tenBytes = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];

/** Fields of a few bytes, as many as a body has room for. */
export function protobufBodies(): readonly HostileCase[] {
  return [{ name: "protobuf bodies", requests: [...envelopes(), ...fields()] }];
}

function envelopes(): readonly HostileRequest[] {
  return [
    create("envelope, messages", `${core}/configmaps`, concat(magic, repeated([0x12, 0]))),
    create("envelope, types", `${core}/configmaps`, concat(magic, repeated([0x0a, 2, 0x0a, 0]))),
    create("envelope, versions", `${core}/configmaps`, concat(magic, field(1, repeated([0x0a, 1, 0x61])))),
    create("envelope, media types", `${core}/configmaps`, concat(magic, repeated([0x22, 1, 0x61]))),
  ];
}

function fields(): readonly HostileRequest[] {
  const configMap = (kind: string, message: Buffer) =>
    create(kind, `${core}/configmaps`, envelope("v1", "ConfigMap", message));
  const pod = (kind: string, message: Buffer) => create(kind, `${core}/pods`, envelope("v1", "Pod", message));
  const schema = (kind: string, message: Buffer) =>
    create(
      kind,
      definitions,
      envelope(
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        field(2, field(7, field(4, field(1, message)))),
      ),
    );
  const groups = (numbers: Buffer): Buffer => field(2, field(14, numbers));
  return [
    configMap("unknown integers", repeated([0x78, ...tenBytes])),
    configMap("unknown groups", repeated([0x7b, 0x7c])),
    configMap("open groups", repeated([0x7b])),
    configMap("one flag", repeated([0x20, ...tenBytes])),
    configMap("one entry of a map", field(2, repeated([0x0a, 1, 0x61]))),
    pod("integers", groups(repeated([0x20, 1]))),
    pod("large integers", groups(repeated([0x20, ...tenBytes]))),
    pod("packed integers", groups(field(4, repeated([1])))),
    pod("one time", field(1, repeated([0x42, 2, 0x08, 1]))),
    schema("JSON texts", repeated([0xa2, 0x01, 3, 0x0a, 1, 0x31])),
    schema("texts of one entry", field(32, field(2, repeated([0x0a, 1, 0x61])))),
  ];
}

function create(kind: string, path: string, body: Buffer): HostileRequest {
  const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
  return { kind: `protobuf, ${kind}`, method: "POST", path: `${path}?dryRun=All`, headers, body };
}

function envelope(apiVersion: string, kind: string, message: Buffer): Buffer {
  return concat(magic, field(1, concat(field(1, text(apiVersion)), field(2, text(kind)))), field(2, message));
}

function field(number: number, value: Buffer): Buffer {
  return concat(varint(number * 8 + 2), varint(value.length), value);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

function repeated(bytes: readonly number[]): Buffer {
  return Buffer.alloc(Math.floor(size / bytes.length) * bytes.length, Buffer.from(bytes));
}

function text(value: string): Buffer {
  return Buffer.from(value);
}

function concat(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts);
}
