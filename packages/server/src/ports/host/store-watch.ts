/**
 * Tracks for which store a shared thread is working. A store that repeatedly crashed the thread is
 * suspended for a while, so that the work for other stores continues. Stores are identified by the
 * names of their event logs.
 */
export interface StoreWatch {
  /** Runs work that cannot be interrupted, or that may crash the thread. */
  during<T>(log: string, work: () => T): T
  /** @returns seconds for which this store is suspended; 0 if it is not */
  setAsideSeconds(log: string): number
}

/** A watch for threads without a watchdog. */
export const UNWATCHED: StoreWatch = {
  during: (_log, work) => work(),
  setAsideSeconds: () => 0,
}
