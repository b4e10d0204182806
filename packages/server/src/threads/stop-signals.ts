/**
 * Signals within this time count as one. A terminal sends Ctrl-C to the whole process group, and
 * npm, a member of it, forwards it to the service, which already has it.
 */
const SAME_MS = 1_000

/**
 * Handles SIGTERM and SIGINT from the first moments of the process: their effect changes while it
 * starts, and one that comes too early is held until it can be handled. A second one ends the
 * process at once.
 */
export class StopSignals {
  #stop: ((signal: string) => void) | undefined
  #came: string | undefined
  #cameMs = 0

  /** @param stop handles the first signal, until `set` replaces it */
  constructor(stop: (signal: string) => void) {
    this.#stop = stop
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => this.#take(signal))
  }

  /** Whether a signal has come. */
  get isStopping(): boolean {
    return this.#came !== undefined
  }

  /** @param stop handles signals from now on, and a held one at once; undefined: hold them */
  set(stop: ((signal: string) => void) | undefined): void {
    this.#stop = stop
    if (this.#came !== undefined) stop?.(this.#came)
  }

  #take(signal: string): void {
    if (this.#came !== undefined) {
      if (performance.now() - this.#cameMs < SAME_MS) return
      // A second signal means that the process must end now.
      process.exit(1)
    }
    this.#came = signal
    this.#cameMs = performance.now()
    this.#stop?.(signal)
  }
}
