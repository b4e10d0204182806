/** What was exported, or answered by the other engine, is not what it should be. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}
