import type { Transferable } from 'node:worker_threads'
import type { PortableError } from './portable-error.ts'

/** A channel for calls: a port, a thread as its parent sees it, or `parentPort`. */
export interface CallPort {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void
  /** `message`; after `close` of a port or `exit` of a thread no more messages arrive. */
  // oxlint-disable-next-line typescript/no-explicit-any
  on(event: string, listener: (message: any) => void): unknown
}

/**
 * A call of a method of an object in another thread, with both by name. Without `callId` nobody
 * waits for a response.
 */
export interface CallMessage {
  readonly callId: number | undefined
  readonly target: string
  readonly method: string
  readonly args: readonly unknown[]
}

export type AnswerMessage =
  | { readonly callId: number; readonly result: unknown }
  | { readonly callId: number; readonly error: PortableError }

/** Both ends of a port may call, and each handles only the messages meant for it. */
export function isCall(message: CallMessage | AnswerMessage): message is CallMessage {
  return 'method' in message
}

// Any method: its parameters are checked where it is called.
// oxlint-disable-next-line typescript/no-explicit-any
export type Method = (...args: any[]) => unknown

/** The names of the methods of an object. */
export type MethodOf<Target> = {
  [Name in keyof Target]: Target[Name] extends Method ? Name : never
}[keyof Target] &
  string

/** The names of the methods that return a promise. */
export type CallableOf<Target> = {
  [Name in keyof Target]: Target[Name] extends (...args: never) => Promise<unknown> ? Name : never
}[keyof Target] &
  string

export type ArgumentsOf<Member> = Member extends Method ? Parameters<Member> : never

export type AnswerOf<Member> = Member extends (...args: never) => Promise<infer Answer>
  ? Answer
  : never
