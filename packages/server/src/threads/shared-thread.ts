import { parentPort, type MessagePort } from 'node:worker_threads'
import { PortCalls } from '../adapters/message-port/port-calls.ts'
import { endThread, serveCalls } from '../adapters/message-port/serve-calls.ts'
import type { Vitals } from '../adapters/shared-memory/vitals.ts'

/** What the host of any shared thread calls in it. */
export interface SharedThread {
  /** Answered by `serveHost`, once the thread has loaded its code. */
  ready(): Promise<void>
  /** Another thread that wants something of it. */
  connect(port: MessagePort): void
  /** Resolves when everything is written. */
  close(): Promise<void>
}

/** One that reads the event logs as they grow. */
export interface EventsFollower extends SharedThread {
  /** The way to the event logs: at the start, and again when their thread was replaced. */
  useEvents(port: MessagePort): void
}

/** What a thread does for its host. */
export interface ThreadCalls<Thread> {
  readonly thread: Thread
}

/** What the host of a thread does for it. */
export interface HostCalls<Host> {
  readonly host: Host
}

/** Part of what every shared thread is started with. */
export interface SharedThreadData {
  readonly vitals: Vitals
}

/**
 * The thread's side of its host. An error that is not an ApiError ends the thread, and another one
 * takes its place.
 */
export function serveHost<Thread extends SharedThread>(thread: Omit<Thread, 'ready'>): void {
  const served = { ...thread, ready: () => Promise.resolve() } as unknown as Thread
  serveCalls<ThreadCalls<Thread>>(parentPort!, { thread: served }, endThread)
}

/** The host, as the thread calls it. */
export function callHost<Host extends object>(): PortCalls<HostCalls<Host>> {
  return new PortCalls<HostCalls<Host>>().connect(parentPort!)
}
