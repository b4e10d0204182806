/**
 * A problem with a file: it is `unreadable`, one `row` is wrong, or the service `stopped`.
 */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  readonly kind: 'unreadable' | 'row' | 'stopped'
  /** The choice that the message asks for, if any. */
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
