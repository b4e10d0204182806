import { setImmediate as nextTurn } from 'node:timers/promises'
import { SEARCH_TIMEOUT_DEFAULT_MS } from '@aisle/contract'
import { ONE_TURN, type Turns } from '../../ports/search/turns.ts'

/**
 * The time limit of a request with all its searches, and how it yields between its parts, since all
 * stores share the thread.
 */
export interface RequestPace extends Turns {
  /** `performance.now()` when the request got the thread. Its time limit runs from here. */
  readonly startMs: number
  /** Maximum milliseconds for each of its searches, counted from `startMs`. */
  readonly timeoutMaxMs: number
  /** Milliseconds for each search that names no limit, whatever the maximum; only tests set it. */
  readonly timeoutDefaultMs?: number | undefined
  /**
   * Lets all waiting requests run first, for some milliseconds at most; resolves in a separate
   * turn. For long work that is less urgent than a search.
   */
  giveWay(): Promise<void>
  /**
   * Announces work, so that work which repeatedly crashes its thread can be identified.
   *
   * @param work the same text for work of the same cost
   * @throws ApiError request_quarantined
   */
  begin(work: string): void
  /**
   * Reserves memory for the response, until it is read. Call it before allocating.
   *
   * @throws ApiError unread_answers
   */
  hold(bytes: number): void
}

export type TimeLimit = Pick<RequestPace, 'startMs' | 'timeoutMaxMs' | 'timeoutDefaultMs'>

/** The time limit of a part of a request that starts now: the time left. */
export function partOf({ startMs, timeoutMaxMs, timeoutDefaultMs }: RequestPace): TimeLimit {
  const nowMs = performance.now()
  const leftMs = Math.max(0, deadlineOf({ startMs, timeoutMaxMs }) - nowMs)
  return { startMs: nowMs, timeoutMaxMs: leftMs, timeoutDefaultMs }
}

/** When a request has used its time, for work that takes a deadline of `performance.now()`. */
export function deadlineOf({ startMs, timeoutMaxMs }: TimeLimit): number {
  return startMs + timeoutMaxMs
}

/** Pace of a request that nobody waits for: it never rests, and is not watched. */
export function soloPace(): RequestPace {
  return {
    startMs: performance.now(),
    timeoutMaxMs: SEARCH_TIMEOUT_DEFAULT_MS,
    ...ONE_TURN,
    giveWay: () => nextTurn(),
    begin: () => undefined,
    hold: () => undefined,
  }
}
