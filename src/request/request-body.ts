/** The complete body of a request. */
export interface RequestBody {
  /** Empty when there was none. */
  readonly bytes: Uint8Array;
  /** The Content-Type header, undefined when missing. */
  readonly contentType: string | undefined;
}

export const noBody: RequestBody = { bytes: new Uint8Array(0), contentType: undefined };
