/**
 * A value, or the promise of it: one process has it at once, a node of a cluster asks for it.
 * Callers await it and never look which of the two it is. To await a value that is there lets other
 * promises go on, but no message, timer or request.
 */
export type Awaitable<T> = T | Promise<T>
