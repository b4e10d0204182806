/** A write failed. Nothing of the batch is acknowledged, but some of it may be on disk. */
export class AppendError extends Error {
  override readonly name = 'AppendError'
  /**
   * A sync failed: the state of the disk is unknown, so the log accepts nothing until the next
   * start.
   */
  readonly isFinal: boolean

  constructor(message: string, options: { cause?: unknown; isFinal?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.isFinal = options.isFinal ?? false
  }
}

/** The log has reached its daily limit. Nothing of the batch is stored. */
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
