/** The body of a request as it was sent, whole. */
export interface RequestBody {
  /** Empty when there was none. */
  readonly bytes: Uint8Array;
  /** The Content-Type header, undefined when missing. */
  readonly contentType: string | undefined;
}

export const noBody: RequestBody = { bytes: new Uint8Array(0), contentType: undefined };
