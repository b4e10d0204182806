import type { Socket } from 'node:net'
import { TRANSFER_MIN_BYTES_PER_SECOND } from '@aisle/contract'

interface Reader {
  /** When it was last quick enough, or had nothing to read, and what it had taken by then. */
  takenBytes: number
  sinceMs: number
  /** When it was last seen to have taken anything, and what it had taken by then. */
  movedBytes: number
  movedMs: number
}

export interface AnswerReadersOptions {
  /** In so much time a reader has to take a minimum. */
  readonly answerMs: number
  /** Of all answers together that wait for their readers. */
  readonly unreadAnswersBytes: number
  readonly onGivenUp: () => void
}

/** Answers are looked at so often in the time that they have … */
const LOOKS = 6
/** … and more often all together: they pile up faster than readers turn out to be slow. */
const PILE_LOOK_MS = 250
/**
 * Who has taken nothing for so long goes when the pile is too high; at twice the height others,
 * too.
 */
const STILL_MS = 1_000

/**
 * Gives up connections that do not fetch their answers: each too slow by itself, or all together
 * too much.
 */
export class AnswerReaders {
  readonly #options: AnswerReadersOptions
  readonly #readers = new Map<Socket, Reader>()
  readonly #timers: readonly NodeJS.Timeout[]

  constructor(options: AnswerReadersOptions) {
    this.#options = options
    const lookMs = options.answerMs / LOOKS
    let lookedMs = performance.now()
    const look = (): void => {
      const nowMs = performance.now()
      // When this thread was late, so was what it could have handed out.
      this.#giveUpSlow(nowMs, Math.max(0, nowMs - lookedMs - lookMs))
      lookedMs = nowMs
    }
    this.#timers = [
      setInterval(look, lookMs).unref(),
      setInterval(() => this.#lowerPile(performance.now()), PILE_LOOK_MS).unref(),
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

  #lowerPile(nowMs: number): void {
    const { unreadAnswersBytes } = this.#options
    const waiting: [Socket, Reader][] = []
    let pileBytes = 0
    for (const [socket, reader] of this.#readers) {
      if (socket.writableLength === 0) continue
      pileBytes += socket.writableLength
      waiting.push([socket, reader])
      const movedBytes = takenOf(socket)
      if (movedBytes === reader.movedBytes) continue
      reader.movedBytes = movedBytes
      reader.movedMs = nowMs
    }
    if (pileBytes <= unreadAnswersBytes) return
    // Of those who moved at the same look, the one that took least: who only begins has filled its
    // buffers, no more.
    const inOrder = waiting.toSorted(
      ([, a], [, b]) => a.movedMs - b.movedMs || a.movedBytes - b.movedBytes,
    )
    for (const [socket, { movedMs }] of inOrder) {
      if (pileBytes <= unreadAnswersBytes) return
      if (nowMs - movedMs < STILL_MS && pileBytes <= 2 * unreadAnswersBytes) return
      pileBytes -= socket.writableLength
      this.#giveUp(socket)
    }
  }

  /**
   * A reset: else the system would go on to offer what it has of the answer, megabytes for each of
   * them.
   */
  #giveUp(socket: Socket): void {
    this.#options.onGivenUp()
    socket.resetAndDestroy()
  }
}

/** Bytes that the system has taken from us. */
function takenOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}
