/**
 * What went wrong with a file: `unreadable` as a whole, one `row` of it, or the service `stopped`
 * in the middle.
 */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  readonly kind: 'unreadable' | 'row' | 'stopped'
  /** The choice that the message asks for, if there is one. */
  readonly choice: 'encoding' | 'format' | 'map' | undefined
  /** The column that the choice is about. */
  readonly column: string | undefined

  constructor(
    kind: ImportError['kind'],
    message: string,
    {
      choice,
      column,
      cause,
    }: { choice?: ImportError['choice']; column?: string; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.kind = kind
    this.choice = choice
    this.column = column
  }
}
