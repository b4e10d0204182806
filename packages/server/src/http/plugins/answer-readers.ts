import type { Socket } from 'node:net'
import { TRANSFER_MIN_BYTES_PER_SECOND, UNREAD_ANSWERS_STALLED_PERCENT } from '@aisle/contract'

interface Reader {
  /** Time when it last was fast enough or had nothing to read, and the bytes taken by then. */
  takenBytes: number
  sinceMs: number
  /** When it was last seen to take anything, and the bytes taken by then. */
  movedBytes: number
  movedMs: number
}

export interface AnswerReadersOptions {
  /** Time within which a reader has to take a minimum of bytes. */
  readonly answerMs: number
  /** Limit for the unread responses of all threads together. */
  readonly unreadAnswersBytes: number
  readonly onGivenUp: () => void
}

/** Number of checks of each response within its time limit … */
const LOOKS = 6
/**
 * … and milliseconds between checks of their total: unread bytes pile up faster than readers prove
 * to be slow.
 */
const PILE_LOOK_MS = 250
/**
 * A reader that has taken nothing for this time is cut off if the total of this thread is above a
 * part of the limit; above the whole of it, other readers are too.
 */
const STILL_MS = 1_000

/**
 * Closes connections that do not read their responses: those that are too slow, and more if all
 * unread responses together are too large.
 */
export class AnswerReaders {
  readonly #options: AnswerReadersOptions
  readonly #readers = new Map<Socket, Reader>()
  readonly #timers: readonly NodeJS.Timeout[]

  constructor(options: AnswerReadersOptions) {
    this.#options = options
    this.#timers = [
      lookEvery(options.answerMs / LOOKS, (nowMs, lateMs) => this.#giveUpSlow(nowMs, lateMs)),
      lookEvery(PILE_LOOK_MS, (nowMs, lateMs) => this.#lowerPile(nowMs, lateMs)),
    ]
  }

  add(socket: Socket): void {
    const nowMs = performance.now()
    this.#readers.set(socket, { takenBytes: 0, sinceMs: nowMs, movedBytes: 0, movedMs: nowMs })
    socket.once('close', () => this.#readers.delete(socket))
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #giveUpSlow(nowMs: number, lateMs: number): void {
    const { answerMs } = this.#options
    const leastBytes = (answerMs * TRANSFER_MIN_BYTES_PER_SECOND) / 1_000
    for (const [socket, reader] of this.#readers) {
      const takenBytes = takenOf(socket)
      reader.sinceMs += lateMs
      if (socket.writableLength === 0 || takenBytes - reader.takenBytes >= leastBytes) {
        reader.takenBytes = takenBytes
        reader.sinceMs = nowMs
      } else if (nowMs - reader.sinceMs >= answerMs) {
        this.#giveUp(socket)
      }
    }
  }

  #lowerPile(nowMs: number, lateMs: number): void {
    const { unreadAnswersBytes } = this.#options
    const waiting: [Socket, Reader][] = []
    let pileBytes = 0
    for (const [socket, reader] of this.#readers) {
      reader.movedMs += lateMs
      if (socket.writableLength === 0) continue
      pileBytes += socket.writableLength
      waiting.push([socket, reader])
      const movedBytes = takenOf(socket)
      if (movedBytes === reader.movedBytes) continue
      reader.movedBytes = movedBytes
      reader.movedMs = nowMs
    }
    const calmBytes = (unreadAnswersBytes * UNREAD_ANSWERS_STALLED_PERCENT) / 100
    if (pileBytes <= calmBytes) return
    // The stillest first. Among those that moved lately, the one that took least: a reader that has
    // just begun has only filled its buffers. A busy thread may have served one of them and not yet
    // another, so that their order of some 100 ms says nothing.
    const still = ({ movedMs }: Reader): number => Math.floor((nowMs - movedMs) / STILL_MS)
    const inOrder = waiting.toSorted(
      ([, a], [, b]) => still(b) - still(a) || a.movedBytes - b.movedBytes,
    )
    for (const [socket, { movedMs }] of inOrder) {
      if (pileBytes <= calmBytes) return
      if (nowMs - movedMs < STILL_MS && pileBytes <= unreadAnswersBytes) return
      pileBytes -= socket.writableLength
      this.#giveUp(socket)
    }
  }

  /**
   * Resets the connection. Otherwise the kernel would keep offering its part of the response,
   * megabytes per connection.
   */
  #giveUp(socket: Socket): void {
    this.#options.onGivenUp()
    socket.resetAndDestroy()
  }
}

/**
 * @param look gets the time, and how late it is: if this thread was busy, the bytes that it could
 * have sent were late too
 */
function lookEvery(everyMs: number, look: (nowMs: number, lateMs: number) => void): NodeJS.Timeout {
  let lookedMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    look(nowMs, Math.max(0, nowMs - lookedMs - everyMs))
    lookedMs = nowMs
  }, everyMs)
  return timer.unref()
}

/** Bytes that the kernel has taken from us. */
function takenOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}
