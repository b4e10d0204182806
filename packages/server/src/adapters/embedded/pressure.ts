import { ApiError } from '@aisle/contract'

/** Limits of the work that waits for the writer, over all serving threads. */
export const WAITING_BYTES_MAX = 96 * 1024 * 1024
const WAITING_ENTRIES_MAX = 20_000

/**
 * Counts the work in transit to the writer, in shared memory: two numbers per serving thread
 * (bytes, entries). If the sum is too high, a thread refuses a write before it copies a byte.
 */
export type Pressure = Int32Array<SharedArrayBuffer>

export function createPressure(threadCount: number): Pressure {
  return new Int32Array(new SharedArrayBuffer(threadCount * 2 * Int32Array.BYTES_PER_ELEMENT))
}

/** Throws ApiError `unavailable` if the writer already has too much to do. */
export function enterPressure(
  pressure: Pressure,
  thread: number,
  bytes: number,
  entries: number,
): void {
  let waitingBytes = 0
  let waitingEntries = 0
  for (let i = 0; i < pressure.length; i += 2) {
    waitingBytes += Atomics.load(pressure, i)
    waitingEntries += Atomics.load(pressure, i + 1)
  }
  // A single write that exceeds the limit may pass if nothing else waits.
  const tooMuch =
    waitingBytes + bytes > WAITING_BYTES_MAX || waitingEntries + entries > WAITING_ENTRIES_MAX
  if (tooMuch && waitingEntries > 0) {
    throw new ApiError('unavailable', 'Cannot write now: too many writes are waiting. Try again', {
      retryAfterSeconds: 1,
    })
  }
  Atomics.add(pressure, thread * 2, bytes)
  Atomics.add(pressure, thread * 2 + 1, entries)
}

export function leavePressure(
  pressure: Pressure,
  thread: number,
  bytes: number,
  entries: number,
): void {
  Atomics.sub(pressure, thread * 2, bytes)
  Atomics.sub(pressure, thread * 2 + 1, entries)
}

/** Called when a thread has died: its writes no longer wait for a response. */
export function resetPressure(pressure: Pressure, thread: number): void {
  Atomics.store(pressure, thread * 2, 0)
  Atomics.store(pressure, thread * 2 + 1, 0)
}
