/** An export, or an answer of the other engine, is invalid. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}
