import { fork, type ChildProcess } from 'node:child_process'
import {
  EmbedderUnavailable,
  type Embedder,
  type EmbeddingPurpose,
} from '../../ports/search/embedder.ts'
import type { FolderConfig } from '../../ports/search/embedder-config.ts'
import { CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.ts'
import type { ModelAnswer, ModelRequest } from './model-process.ts'

/**
 * A turn of the model: a query waits for at most one. Short texts take 2 ms each on a processor of
 * their own.
 */
const TURN_TEXTS_MAX = 8
const TURN_CHARS_MAX = 800
/** A model that takes longer for a turn, or to start, hangs. */
const TURN_HANG_MAX_MS = 60_000
const CALLS_WAITING_MAX = 128
const STDERR_MAX_CHARS = 500

/** A call that is not complete. */
interface Call {
  readonly textCount: number
  /** Places of its texts, the longest last, so that the texts of a turn have similar lengths. */
  readonly left: number[]
  readonly texts: readonly string[]
  readonly vectors: (Float32Array | undefined)[]
  resolve(vectors: (Float32Array | undefined)[]): void
  reject(error: unknown): void
}

interface Turn {
  readonly call: Call
  readonly places: readonly number[]
}

interface Model {
  readonly process: ChildProcess
  readonly opened: Promise<void>
}

/** Vectors of a model on disk, which runs in a separate process; small calls go first. */
export class FolderEmbedder implements Embedder, AsyncDisposable {
  readonly name: string
  readonly fingerprint: string
  readonly dimensions: number
  readonly breaker: CircuitBreaker
  readonly #config: FolderConfig
  #model: Model | undefined
  #calls: Call[] = []
  /** Waits for the process to answer. */
  #waiting: { readonly id: number; settle: (answer: ModelAnswer) => void } | undefined
  #lastId = 0
  #isRunning = false
  #isClosed = false

  constructor(config: FolderConfig, options: CircuitBreakerOptions) {
    this.name = config.name
    this.fingerprint = config.fingerprint
    this.dimensions = config.dimensions
    this.breaker = new CircuitBreaker(options)
    this.#config = config
  }

  /** Loads the model before the first call. @throws EmbedderUnavailable if it cannot be used */
  async ready(): Promise<void> {
    await this.breaker.run(() => this.#open().opened)
  }

  embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    if (this.#calls.length >= CALLS_WAITING_MAX) {
      const busy = `Embedder "${this.name}" is busy`
      return Promise.reject(new EmbedderUnavailable(busy, { retryAfterMs: 1_000 }))
    }
    return this.breaker.run(() => this.#embed(texts, purpose, signal))
  }

  /** A new one is started for the next call; tests end it to see that. */
  endProcess(): void {
    this.#model?.process.kill('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const model = this.#model
    if (model === undefined) return
    const ended = Promise.withResolvers<void>()
    model.process.once('exit', () => ended.resolve())
    model.process.kill('SIGKILL')
    await ended.promise
  }

  #embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    signal.throwIfAborted()
    const { queryPrefix, documentPrefix } = this.#config
    const prefix = purpose === 'query' ? queryPrefix : documentPrefix
    const inputs = texts.map((text) => (prefix + text).toWellFormed())
    const { promise, resolve, reject } = Promise.withResolvers<(Float32Array | undefined)[]>()
    const call: Call = {
      textCount: texts.length,
      left: [...inputs.keys()].toSorted((a, b) => inputs[a]!.length - inputs[b]!.length),
      texts: inputs,
      vectors: Array.from({ length: inputs.length }),
      resolve,
      reject,
    }
    const abort = (): void => {
      this.#calls = this.#calls.filter((other) => other !== call)
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    this.#calls.push(call)
    void this.#run()
    return promise.finally(() => signal.removeEventListener('abort', abort))
  }

  /** Gives the model one turn after the other until no call is left. */
  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    for (let turn = this.#nextTurn(); turn !== undefined; turn = this.#nextTurn()) {
      try {
        const { process, opened } = this.#open()
        await opened
        await this.#runTurn(process, turn)
      } catch (error) {
        // The process is gone: every caller that waits for it is told, and may call again.
        for (const { reject } of [turn.call, ...this.#calls.splice(0)]) reject(error)
      }
    }
    this.#isRunning = false
  }

  #nextTurn(): Turn | undefined {
    let call: Call | undefined
    // The smallest, and the first of equals.
    for (const other of this.#calls) {
      if (call === undefined || other.textCount < call.textCount) call = other
    }
    if (call === undefined) return undefined
    const places: number[] = []
    let chars = 0
    while (call.left.length > 0 && places.length < TURN_TEXTS_MAX) {
      const place = call.left.at(-1)!
      chars += call.texts[place]!.length
      if (places.length > 0 && chars > TURN_CHARS_MAX) break
      places.push(place)
      call.left.pop()
    }
    if (call.left.length === 0) this.#calls = this.#calls.filter((other) => other !== call)
    return { call, places }
  }

  async #runTurn(process: ChildProcess, { call, places }: Turn): Promise<void> {
    const texts = places.map((place) => call.texts[place]!)
    const vectors = await this.#ask(process, { id: ++this.#lastId, texts })
    for (const [i, place] of places.entries()) call.vectors[place] = vectors[i]
    if (call.left.length === 0) call.resolve(call.vectors)
  }

  #open(): Model {
    if (this.#model !== undefined) return this.#model
    if (this.#isClosed) throw new EmbedderUnavailable(`Embedder "${this.name}" is closed`)
    const child = fork(new URL('./model-process.ts', import.meta.url), [], {
      env: { ...this.#config.environment },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let stderr = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_MAX_CHARS)
    })
    child.on('message', (answer: ModelAnswer) => {
      if (answer.id === this.#waiting?.id) this.#waiting.settle(answer)
    })
    const gone = (reason: string): void => {
      if (this.#model?.process !== child) return
      this.#model = undefined
      const id = this.#waiting?.id ?? 0
      this.#waiting?.settle({ id, error: `its process ended (${reason}) ${stderr.trim()}`.trim() })
    }
    child.on('error', (error) => gone(error.message))
    // Both streams have ended then, unlike at `exit`.
    child.on('close', (code, signal) => gone(signal ?? `code ${code}`))
    const { file, path, pooling, tokensMax, dimensions } = this.#config
    const folder = { file, path, pooling, tokensMax, dimensions }
    const opened = this.#ask(child, { folder }).then(
      () => undefined,
      (error: unknown) => {
        child.kill('SIGKILL')
        throw error
      },
    )
    // Every call is told.
    opened.catch(() => undefined)
    this.#model = { process: child, opened }
    return this.#model
  }

  /** One request at a time. @throws EmbedderUnavailable */
  #ask(child: ChildProcess, request: ModelRequest): Promise<readonly (Float32Array | undefined)[]> {
    return new Promise((resolve, reject) => {
      const hanging = setTimeout(() => child.kill('SIGKILL'), TURN_HANG_MAX_MS)
      const settle = (answer: ModelAnswer): void => {
        clearTimeout(hanging)
        this.#waiting = undefined
        if ('vectors' in answer) resolve(answer.vectors)
        else reject(new EmbedderUnavailable(`Embedder "${this.name}": ${answer.error}`))
      }
      this.#waiting = { id: 'id' in request ? request.id : 0, settle }
      // A failure is told by `error` or `close` of the process.
      child.send(request, () => undefined)
    })
  }
}
