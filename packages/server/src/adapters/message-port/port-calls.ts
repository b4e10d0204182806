import type { MessagePort, Transferable } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import { fromPortable, toPortable, type PortableError } from './portable-error.ts'

/** A call of a method of an object in another thread: the object and the method by name. */
interface CallMessage {
  readonly callId: number
  readonly target: string
  readonly method: string
  readonly args: readonly unknown[]
}

type AnswerMessage =
  | { readonly callId: number; readonly result: unknown }
  | { readonly callId: number; readonly error: PortableError }

// Any method: its parameters are checked where it is called.
// oxlint-disable-next-line typescript/no-explicit-any
type Method = (...args: any[]) => Promise<unknown>

/** The names of the methods of an object that answer with a promise. */
export type MethodOf<Target> = {
  [Name in keyof Target]: Target[Name] extends Method ? Name : never
}[keyof Target] &
  string

/** Calls from this thread that wait for their answers. */
export class PortCalls<Targets extends object> {
  readonly #port: MessagePort
  readonly #calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #callCount = 0

  /** @param whenClosed what calls that wait fail with when the other side goes away */
  constructor(port: MessagePort, whenClosed: () => ApiError) {
    this.#port = port
    port.on('message', (answer: AnswerMessage) => this.#settle(answer))
    port.on('close', () => {
      for (const { reject } of this.#calls.values()) reject(whenClosed())
      this.#calls.clear()
    })
  }

  /**
   * @param args copied, but for the buffers in `transfer`, which change hands
   * @throws ApiError as the method threw it; `internal` for any other error
   */
  call<T extends keyof Targets & string, M extends MethodOf<Targets[T]>>(
    target: T,
    method: M,
    args: Targets[T][M] extends Method ? Parameters<Targets[T][M]> : never,
    transfer: Transferable[] = [],
  ): Targets[T][M] extends Method ? ReturnType<Targets[T][M]> : never {
    const callId = ++this.#callCount
    const answered = new Promise((resolve, reject) => {
      this.#calls.set(callId, { resolve, reject })
      this.#port.postMessage({ callId, target, method, args } satisfies CallMessage, transfer)
    })
    return answered as ReturnType<typeof this.call<T, M>>
  }

  #settle(answer: AnswerMessage): void {
    const call = this.#calls.get(answer.callId)
    if (call === undefined) return
    this.#calls.delete(answer.callId)
    if ('error' in answer) call.reject(fromPortable(answer.error))
    else call.resolve(answer.result)
  }
}

/**
 * The other side: performs the calls that come through a port. Only our own threads hold one.
 *
 * @param failure what the caller is told of an error that is not an ApiError
 * @param onFault told about those: bugs, for the log
 */
export function serveCalls<Targets extends object>(
  port: MessagePort,
  targets: Targets,
  failure: string,
  onFault: (error: unknown) => void,
): void {
  port.on('message', ({ callId, target, method, args }: CallMessage) => {
    const perform = async (): Promise<unknown> => {
      const holder = targets[target as keyof Targets] as Record<string, Method>
      return await holder[method]!(...args)
    }
    perform().then(
      (result) => port.postMessage({ callId, result } satisfies AnswerMessage),
      (error: unknown) => {
        if (!(error instanceof ApiError)) onFault(error)
        const known = error instanceof ApiError ? error : new ApiError('internal', failure)
        port.postMessage({ callId, error: toPortable(known) } satisfies AnswerMessage)
      },
    )
  })
}
