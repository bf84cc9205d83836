import { StorageError } from "./storage-error.js";

export type ReadingStep = "transform" | "decode";

/** An object that cannot be decrypted or decoded. */
export class UnreadableObject extends StorageError {
  /** The error for servers that can delete such objects. Source: apiserver `pkg/storage/errors.go`. */
  readonly report: string;
  /** The same without the key. */
  readonly what: string;

  constructor(
    step: ReadingStep,
    { key, revision, reason, cause }: { key: string; revision: number; reason: string; cause: unknown },
    isReported: boolean,
  ) {
    const what =
      step === "transform"
        ? `data from the storage is not transformable revision=0: ${reason}`
        : `object not decodable revision=${revision}: ${reason}`;
    const report = `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${what}`;
    const message = isReported ? report : `unable to ${step} key ${JSON.stringify(key)}: ${reason}`;
    super("Corrupt", message, { key, revision, cause });
    this.what = what;
    this.report = report;
  }
}

/** The unreadable objects of a list, or the first of them. */
export class UnreadableObjects extends StorageError {
  readonly objects: readonly UnreadableObject[];
  readonly isCut: boolean;

  constructor(objects: readonly UnreadableObject[], isCut: boolean) {
    super("Corrupt", `unable to transform or decode ${objects.length} objects`, { cause: objects[0] });
    this.objects = objects;
    this.isCut = isCut;
  }
}

/** The deletion of an object that cannot be read, which a watch cannot show. */
export class UnreadableDeletion extends StorageError {
  constructor(deleted: UnreadableObject) {
    const { key, revision } = deleted;
    const text = `saw a DELETED event, but object data is corrupt - ${deleted.what}`;
    super("Corrupt", text, { key, revision, cause: deleted });
  }
}
