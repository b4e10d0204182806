/** A write failed. Nothing of the batch is acknowledged, but some of it may be on disk. */
export class AppendError extends Error {
  override readonly name = 'AppendError'
  /**
   * A sync failed: the state of the disk is unknown, so the log accepts nothing until a restart.
   */
  readonly isFinal: boolean

  constructor(message: string, options: { cause?: unknown; isFinal?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.isFinal = options.isFinal ?? false
  }
}

/** The log has reached its daily limit. The batch is not stored. */
export class DayFullError extends Error {
  override readonly name = 'DayFullError'
  /** Start of the next day. */
  readonly resetMs: number
  /** Time until then. */
  readonly waitMs: number

  constructor(resetMs: number, nowMs: number) {
    super('The event log is full for today')
    this.resetMs = resetMs
    this.waitMs = resetMs - nowMs
  }
}
