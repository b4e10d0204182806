/**
 * A value or a promise of it: a single process has the value, a node of a cluster requests it.
 * Callers await it and never check which of the two it is. Awaiting a value lets other promises
 * continue, but no messages, timers or requests.
 */
export type Awaitable<T> = T | Promise<T>
