import { randomUUIDv7 } from 'node:crypto'

const COUNTER_MAX = 0xfff
let lastMs = 0
let counter = 0

/**
 * UUID version 7 (RFC 9562, 2024): 48 bits of milliseconds, a 12-bit counter, 62 random bits.
 * Within a process each one is greater than the one before, also as text: the counter starts each
 * millisecond at a random point in its lower half, borrows from the next millisecond when it is
 * exhausted, and time never runs backwards. (Node's own is not ordered within a millisecond.)
 */
export function uuidv7(): string {
  const fresh = randomUUIDv7()
  const nowMs = Number.parseInt(fresh.slice(0, 8) + fresh.slice(9, 13), 16)
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = Number.parseInt(fresh.slice(15, 18), 16) >>> 1
  } else if (++counter > COUNTER_MAX) {
    lastMs++
    counter = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const count = counter.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${fresh.slice(19)}`
}
