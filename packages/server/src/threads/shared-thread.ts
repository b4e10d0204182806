import { parentPort, type MessagePort } from 'node:worker_threads'
import { PortCalls } from '../adapters/message-port/port-calls.ts'
import { endThread, serveCalls } from '../adapters/message-port/serve-calls.ts'
import type { Vitals } from '../adapters/shared-memory/vitals.ts'

/** The calls of the host to any shared thread. */
export interface SharedThread {
  /** Answered by `serveHost`, once the thread has loaded its code. */
  ready(): Promise<void>
  /** Connects another thread to it. */
  connect(port: MessagePort): void
  /** Resolves when everything is written. */
  close(): Promise<void>
}

/** A shared thread that reads the event logs as they grow. */
export interface EventsFollower extends SharedThread {
  /** Connects it to the event logs, at the start and when their thread was replaced. */
  useEvents(port: MessagePort): void
}

/** The methods that a thread offers its host. */
export interface ThreadCalls<Thread> {
  readonly thread: Thread
}

/** The methods that the host offers its thread. */
export interface HostCalls<Host> {
  readonly host: Host
}

/** The common part of the start data of shared threads. */
export interface SharedThreadData {
  readonly vitals: Vitals
}

/**
 * The thread's side of its host. An error that is not an ApiError ends the thread, and another one
 * replaces it.
 */
export function serveHost<Thread extends SharedThread>(thread: Omit<Thread, 'ready'>): void {
  const served = { ...thread, ready: () => Promise.resolve() } as unknown as Thread
  serveCalls<ThreadCalls<Thread>>(parentPort!, { thread: served }, endThread)
}

/** The thread's view of the host. */
export function callHost<Host extends object>(): PortCalls<HostCalls<Host>> {
  return new PortCalls<HostCalls<Host>>().connect(parentPort!)
}
