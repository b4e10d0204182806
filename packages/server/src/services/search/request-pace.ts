import { SEARCH_TIMEOUT_DEFAULT_MS } from '@aisle/contract'

/**
 * How long one request may take, all its searches together, and how it lets others on between its
 * parts: a thread is shared by all stores.
 */
export interface RequestPace {
  /** `performance.now()` when the request got the thread: its time runs from here. */
  readonly startMs: number
  /** Milliseconds that each of its searches may take at most, counted from `startMs`. */
  readonly timeoutMaxMs: number
  /** It has had the thread for a while: it should `rest` before it goes on. */
  isDue(): boolean
  /** Lets others have the thread; resolves when it is this request's turn again. */
  rest(): Promise<void>
  /**
   * Says what is about to be done, so that work which ends its thread again and again is found.
   *
   * @param work the same text for work of the same cost
   * @throws ApiError request_quarantined
   */
  begin(work: string): void
}

/** The time of a part of a request that starts now: what is left of it. */
export function partOf({
  startMs,
  timeoutMaxMs,
}: RequestPace): Pick<RequestPace, 'startMs' | 'timeoutMaxMs'> {
  const nowMs = performance.now()
  return { startMs: nowMs, timeoutMaxMs: Math.max(0, startMs + timeoutMaxMs - nowMs) }
}

/** Of a request that nobody waits for: it rests at no time, and is not watched. */
export function soloPace(): RequestPace {
  return {
    startMs: performance.now(),
    timeoutMaxMs: SEARCH_TIMEOUT_DEFAULT_MS,
    isDue: () => false,
    rest: () => Promise.resolve(),
    begin: () => undefined,
  }
}
