import { setTimeout as pause } from 'node:timers/promises'

export interface UntilOptions {
  /** So long at most; long, since a busy machine is no failure. */
  readonly timeoutMs?: number
  /** Between two looks. */
  readonly pauseMs?: number
}

/**
 * Looks again and again until `look` gives something that is there and not false, and returns it.
 *
 * @param what was waited for, for the message of the error
 * @throws Error when the time is over
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
      throw new Error(`Waited ${timeoutMs} ms in vain: ${missing}`)
    }
    await pause(pauseMs)
  }
}

/**
 * Looks for a while at what must stay as it is. Says nothing by itself: the caller first shows that
 * it would have changed (a write that was seen, a peer that was served), then how long it stays.
 *
 * @param ms how long
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
