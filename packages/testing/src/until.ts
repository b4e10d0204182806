import { setTimeout as pause } from 'node:timers/promises'

export interface UntilOptions {
  /** Timeout; long, because a busy machine is not a failure. */
  readonly timeoutMs?: number
  /** Interval between two checks. */
  readonly pauseMs?: number
}

/**
 * Calls `look` repeatedly until it returns something other than undefined, null or false, and
 * returns that.
 *
 * @param what the awaited thing, for the error message
 * @throws Error on timeout
 */
export async function until<Value>(
  what: string | (() => string),
  look: () => Value | Promise<Value>,
  { timeoutMs = 60_000, pauseMs = 5 }: UntilOptions = {},
): Promise<Exclude<Value, undefined | null | false>> {
  for (const startMs = performance.now(); ;) {
    const value = await look()
    if (value !== undefined && value !== null && value !== false) {
      return value as Exclude<Value, undefined | null | false>
    }
    if (performance.now() - startMs > timeoutMs) {
      const missing = typeof what === 'string' ? what : what()
      throw new Error(`Timed out after ${timeoutMs} ms: ${missing}`)
    }
    await pause(pauseMs)
  }
}

/**
 * Checks for a while that something does not change. It cannot prove that a change would have been
 * seen: the caller first shows that (a write was seen, a peer was served), then how long it stays.
 *
 * @param ms duration
 * @throws what `look` throws
 */
export async function stays(ms: number, look: () => void | Promise<void>): Promise<void> {
  const endMs = performance.now() + ms
  do {
    await look()
    await pause(5)
  } while (performance.now() < endMs)
  await look()
}
