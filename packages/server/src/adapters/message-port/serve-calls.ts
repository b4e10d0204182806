import { ApiError } from '@aisle/contract/errors'
import {
  isCall,
  type AnswerMessage,
  type CallMessage,
  type CallPort,
  type Method,
} from './messages.ts'
import { toPortable } from './portable-error.ts'

/**
 * Performs the calls from a port. Only our own threads hold one. Methods start in the order of
 * their calls.
 *
 * @param onFault receives an error that is not an ApiError, a bug, and returns the error for the
 * caller. If it throws (`endThread`), this thread ends, and its callers are refused.
 */
export function serveCalls<Targets extends object>(
  port: CallPort,
  targets: Targets,
  onFault: (error: unknown) => ApiError,
): void {
  port.on('message', (message: CallMessage | AnswerMessage) => {
    if (isCall(message)) void perform(port, targets, message, onFault)
  })
}

async function perform<Targets extends object>(
  port: CallPort,
  targets: Targets,
  { callId, target, method, args }: CallMessage,
  onFault: (error: unknown) => ApiError,
): Promise<void> {
  let answer: AnswerMessage
  const id = callId ?? 0
  try {
    const holder = targets[target as keyof Targets] as Record<string, Method>
    answer = { callId: id, result: await holder[method]!(...args) }
  } catch (error) {
    const known = error instanceof ApiError ? error : onFault(error)
    answer = { callId: id, error: toPortable(known) }
  }
  if (callId !== undefined) port.postMessage(answer)
}

/** An `onFault` that ends a thread whose state the bug may have damaged, so that it restarts. */
export function endThread(error: unknown): never {
  throw error
}
