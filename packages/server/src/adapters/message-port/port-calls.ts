import type { Transferable } from 'node:worker_threads'
import { ApiError } from '@aisle/contract/errors'
import {
  isCall,
  type AnswerMessage,
  type AnswerOf,
  type ArgumentsOf,
  type CallableOf,
  type CallMessage,
  type CallPort,
  type MethodOf,
} from './messages.ts'
import { fromPortable } from './portable-error.ts'

interface WaitingCall {
  readonly sinceMs: number
  resolve(value: unknown): void
  reject(error: Error): void
}

interface Connection {
  readonly port: CallPort
  /** Waiting calls by number, oldest first. */
  readonly calls: Map<number, WaitingCall>
}

/** This thread's side of a port whose other side has `serveCalls`. */
export class PortCalls<Targets extends object> {
  readonly #whenGone: () => Error
  #connection: Connection | undefined
  #callCount = 0

  /** @param whenGone the error of calls when the other side goes away, and until there is one */
  constructor(whenGone: () => Error = otherThreadEnded) {
    this.#whenGone = whenGone
  }

  /** Sends calls here from now on; used at first, and when the other thread was replaced. */
  connect(port: CallPort): this {
    const connection: Connection = { port, calls: new Map() }
    this.#connection = connection
    port.on('message', (message: CallMessage | AnswerMessage) => {
      if (!isCall(message)) settle(connection, message)
    })
    const gone = (): void => {
      if (this.#connection === connection) this.#connection = undefined
      for (const { reject } of connection.calls.values()) reject(this.#whenGone())
      connection.calls.clear()
    }
    port.on('close', gone)
    port.on('exit', gone)
    return this
  }

  get isConnected(): boolean {
    return this.#connection !== undefined
  }

  /** Number of waiting calls, and how long the oldest has waited. */
  waiting(): { readonly count: number; readonly oldestMs: number } {
    const calls = this.#connection?.calls
    const [oldest] = calls?.values() ?? []
    const oldestMs = oldest === undefined ? 0 : performance.now() - oldest.sinceMs
    return { count: calls?.size ?? 0, oldestMs }
  }

  /**
   * @param args copied, except the buffers in `transfer`, which are transferred
   * @throws ApiError as the method threw it, or the other side's substitute for any other error
   */
  call<T extends keyof Targets & string, M extends CallableOf<Targets[T]>>(
    target: T,
    method: M,
    args: ArgumentsOf<Targets[T][M]>,
    transfer: readonly Transferable[] = [],
  ): Promise<AnswerOf<Targets[T][M]>> {
    const callId = ++this.#callCount
    return new Promise((resolve, reject) => {
      const connection = this.#connection
      if (connection === undefined) return reject(this.#whenGone())
      connection.port.postMessage({ callId, target, method, args } satisfies CallMessage, transfer)
      const sinceMs = performance.now()
      connection.calls.set(callId, {
        sinceMs,
        resolve: (value) => resolve(value as AnswerOf<Targets[T][M]>),
        reject,
      })
    })
  }

  /** Sends a call without waiting for a response; it is lost while there is no other side. */
  tell<T extends keyof Targets & string, M extends MethodOf<Targets[T]>>(
    target: T,
    method: M,
    args: ArgumentsOf<Targets[T][M]>,
    transfer: readonly Transferable[] = [],
  ): void {
    const message: CallMessage = { callId: undefined, target, method, args }
    this.#connection?.port.postMessage(message, transfer)
  }
}

function settle({ calls }: Connection, answer: AnswerMessage): void {
  const call = calls.get(answer.callId)
  if (call === undefined) return
  calls.delete(answer.callId)
  if ('error' in answer) call.reject(fromPortable(answer.error))
  else call.resolve(answer.result)
}

function otherThreadEnded(): ApiError {
  return new ApiError('unavailable', 'The other thread has ended', { retryAfterSeconds: 1 })
}
