import { setTimeout as pause } from 'node:timers/promises'
import { SourceError } from '../source-error.ts'
import type { ApiAnswer } from './send-request.ts'

/** How long a shop that is busy, or not there, is asked again. */
export const PATIENCE = {
  /** Times that one request is sent. */
  attemptsMax: 8,
  firstWaitMs: 1_000,
  /** Of one wait, also if the shop asks for more. */
  waitMsMax: 60_000,
} as const

/** Waits, until the signal. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export const wait: Wait = async (ms, signal) => {
  try {
    await pause(ms, undefined, { signal })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}

/** Statuses that say "later": too many requests, and a server that is overloaded or restarts. */
const LATER = new Set([408, 425, 429, 430, 500, 502, 503, 504, 520, 522, 524])

/**
 * Sends a request until it has an answer that will not change: after a lost connection and a busy
 * server it waits twice as long each time, or as long as the server asks.
 *
 * @param laterMs of an answer that says "later" in its own words; undefined: it is a final answer
 * @throws SourceError after the last attempt; the reason of the signal
 */
export async function untilAnswered(
  send: () => Promise<ApiAnswer>,
  signal: AbortSignal,
  waits: Wait,
  laterMs: (answer: ApiAnswer) => number | undefined = () => undefined,
): Promise<ApiAnswer> {
  for (let attempt = 1; ; attempt++) {
    let asked: number | undefined
    try {
      const answer = await send()
      asked = laterMs(answer)
      if (asked === undefined && !LATER.has(answer.status)) return answer
      if (attempt === PATIENCE.attemptsMax) return answer
      asked ??= retryAfterMs(answer.headers['retry-after'])
    } catch (error) {
      const mayPass = error instanceof SourceError && error.fault === 'unreachable'
      if (!mayPass || attempt === PATIENCE.attemptsMax) throw error
    }
    const ms = asked ?? PATIENCE.firstWaitMs * 2 ** (attempt - 1)
    await waits(Math.min(ms, PATIENCE.waitMsMax), signal)
  }
}

/** `Retry-After` in seconds; Shopify writes `2.0`. A date is left to the usual waits. */
function retryAfterMs(text: string | undefined): number | undefined {
  const seconds = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined
}
