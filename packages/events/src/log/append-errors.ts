/** The disk did not take it. Nothing of the batch is promised; some of it may turn out to be there. */
export class AppendError extends Error {
  override readonly name = 'AppendError'
  /** A sync failed: nobody knows what the disk has, so the log takes nothing until the next start. */
  readonly isFinal: boolean

  constructor(message: string, options: { cause?: unknown; isFinal?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.isFinal = options.isFinal ?? false
  }
}

/** The log has taken what it may take in a day. Nothing of the batch is there. */
export class DayFullError extends Error {
  override readonly name = 'DayFullError'
  /** When the next day begins. */
  readonly resetMs: number
  /** Until then, from now. */
  readonly waitMs: number

  constructor(resetMs: number, nowMs: number) {
    super('The event log is full for today')
    this.resetMs = resetMs
    this.waitMs = resetMs - nowMs
  }
}
