/** The request, or the write of it, for which objects are converted. A conversion that calls out ends with it. */
export interface ConversionScope {
  readonly signal: AbortSignal;
}
