/**
 * Knows for which store a shared thread is at work. A store over which the thread ended again and
 * again is set aside for a while, so that the others go on. Stores go by the name of their event
 * log.
 */
export interface StoreWatch {
  /** Does work that a thread cannot be called back from, or that may end it. */
  during<T>(log: string, work: () => T): T
  /** @returns seconds for which this store is set aside; 0: it is not */
  setAsideSeconds(log: string): number
}

/** For threads without a watchdog. */
export const UNWATCHED: StoreWatch = {
  during: (_log, work) => work(),
  setAsideSeconds: () => 0,
}
