/**
 * Signals within this time are one. A terminal sends Ctrl-C to the whole group of processes, and
 * npm, which is one of them, passes it on to the service, which has it already.
 */
const SAME_MS = 1_000

/**
 * SIGTERM and SIGINT, from the first moments of the process on: what they do changes while it
 * starts, and one that comes too early is kept until something can be done about it. A second one
 * ends the process at once.
 */
export class StopSignals {
  #stop: ((signal: string) => void) | undefined
  #came: string | undefined
  #cameMs = 0

  /** @param stop what the first signal does, until `set` says otherwise */
  constructor(stop: (signal: string) => void) {
    this.#stop = stop
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => this.#take(signal))
  }

  /** One has come. */
  get isStopping(): boolean {
    return this.#came !== undefined
  }

  /** @param stop from now on, and at once for a signal that has been kept; undefined: keep it */
  set(stop: ((signal: string) => void) | undefined): void {
    this.#stop = stop
    if (this.#came !== undefined) stop?.(this.#came)
  }

  #take(signal: string): void {
    if (this.#came !== undefined) {
      if (performance.now() - this.#cameMs < SAME_MS) return
      // A second signal means: now.
      process.exit(1)
    }
    this.#came = signal
    this.#cameMs = performance.now()
    this.#stop?.(signal)
  }
}
