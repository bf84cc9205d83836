/**
 * Thrown where an object is needed in another version and only a call can convert it. Whoever runs the work waits for `obtain` and runs it
 * again: the converted object is at hand then. Kinds whose conversion is code never throw it.
 */
export class ConversionNeeded extends Error {
  override readonly name = "ConversionNeeded";
  readonly obtain: (signal: AbortSignal) => Promise<void>;

  constructor(obtain: (signal: AbortSignal) => Promise<void>) {
    super("a conversion is needed");
    this.obtain = obtain;
  }
}
