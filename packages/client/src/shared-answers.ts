interface Running {
  readonly answer: Promise<unknown>
  readonly stop: AbortController
  /** Callers that still wait for the response. */
  waiting: number
}

/** Sends equal simultaneous requests once. A request without callers is aborted. */
export class SharedAnswers {
  readonly #running = new Map<string, Running>()

  /** @throws what `ask` throws; the reason of the abort */
  get<Answer>(
    key: string,
    signal: AbortSignal | undefined,
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    const running = this.#running.get(key) ?? this.#start(key, ask)
    running.waiting++
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal?.reason as Error)
        if (--running.waiting > 0) return
        this.#forget(key, running)
        running.stop.abort()
      }
      const done = (): void => signal?.removeEventListener('abort', leave)
      signal?.addEventListener('abort', leave, { once: true })
      running.answer.finally(done).then((answer) => resolve(answer as Answer), reject)
    })
  }

  #start(key: string, ask: (signal: AbortSignal) => Promise<unknown>): Running {
    const stop = new AbortController()
    const answer = ask(stop.signal).finally(() => this.#forget(key, running))
    const running: Running = { answer, stop, waiting: 0 }
    this.#running.set(key, running)
    return running
  }

  /** Another request may have started meanwhile. */
  #forget(key: string, running: Running): void {
    if (this.#running.get(key) === running) this.#running.delete(key)
  }
}
