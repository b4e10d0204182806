/**
 * The number of the newest acknowledged state, in memory that all threads share. The writer posts
 * the new state to every thread, *then* raises the number, then lets the write be answered. A
 * reader compares the number with what it has applied (8 ns), and if it is behind takes the
 * messages off its port in the same turn. So a client that has the response finds the write on
 * every thread.
 */
export type Generation = Int32Array<SharedArrayBuffer>

export function createGeneration(): Generation {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

export function currentGeneration(generation: Generation): number {
  return Atomics.load(generation, 0)
}

/** It wraps around after 2^31 rounds; see `isBehind`. */
export function nextGeneration(generation: Generation): number {
  return (Atomics.load(generation, 0) + 1) | 0
}

export function raiseGeneration(generation: Generation, value: number): void {
  Atomics.store(generation, 0, value)
}

export function isBehind(applied: number, current: number): boolean {
  return ((current - applied) | 0) > 0
}
