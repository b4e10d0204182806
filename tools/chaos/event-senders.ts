import { eventBatch, HttpClient } from '@aisle/testing'
import type { EventHistory } from './event-history.ts'

const SENDERS = 4
const BATCH = 100
/** Share of sent events that are repetitions. */
const REPEATED_SHARE = 0.2
/** Maximum displacement of an event from its original position in the order. */
const SHUFFLED = 5_000

/** Tracks which events of a history were sent and acknowledged; chooses what to send next. */
export class EventQueue {
  readonly acknowledged: Uint8Array
  acknowledgedCount = 0
  sentCount = 0
  readonly #random: () => number
  /** Not handed out yet; within a stretch, in random order. */
  #stretch: number[] = []
  #nextStretch = 0
  /** Sent, with an unknown outcome. */
  readonly #unanswered: number[] = []

  constructor(eventCount: number, random: () => number) {
    this.acknowledged = new Uint8Array(eventCount)
    this.#random = random
  }

  /** Numbers of events, including repetitions; empty at the end. */
  batch(): number[] {
    const numbers: number[] = []
    while (numbers.length < BATCH) {
      const number = this.#next()
      if (number === undefined) break
      numbers.push(number)
      // One repetition for every four events is a fifth of all.
      if (this.#random() < REPEATED_SHARE / (1 - REPEATED_SHARE)) numbers.push(this.#sentBefore())
    }
    this.sentCount += numbers.length
    return numbers
  }

  acknowledge(numbers: readonly number[]): void {
    for (const number of numbers) {
      this.acknowledgedCount += 1 - this.acknowledged[number]!
      this.acknowledged[number] = 1
    }
  }

  retry(numbers: readonly number[]): void {
    this.#unanswered.push(...numbers.filter((number) => this.acknowledged[number] === 0))
  }

  #next(): number | undefined {
    const again = this.#unanswered.pop()
    if (again !== undefined) return again
    if (this.#stretch.length === 0) {
      const end = Math.min(this.#nextStretch + SHUFFLED, this.acknowledged.length)
      for (let number = this.#nextStretch; number < end; number++) this.#stretch.push(number)
      this.#nextStretch = end
      for (let i = this.#stretch.length - 1; i > 0; i--) {
        const j = Math.floor(this.#random() * (i + 1))
        const kept = this.#stretch[i]!
        this.#stretch[i] = this.#stretch[j]!
        this.#stretch[j] = kept
      }
    }
    return this.#stretch.pop()
  }

  /** From an earlier stretch, else from this one: often in flight at the same time. */
  #sentBefore(): number {
    return Math.floor(this.#random() * Math.max(1, this.#nextStretch))
  }
}

/**
 * Sends until nothing is left or the server has ended.
 *
 * @returns forbidden answers of the server
 */
export async function sendEvents(
  url: string,
  writeKey: string,
  history: EventHistory,
  queue: EventQueue,
): Promise<string[]> {
  const problems: string[] = []
  const http = new HttpClient(url, { connections: SENDERS })
  let isGone = false
  const sender = async (): Promise<void> => {
    while (!isGone) {
      const numbers = queue.batch()
      if (numbers.length === 0) return
      const events = numbers.map((number) => history.event(number))
      try {
        const answer = await http.send(eventBatch(writeKey, events))
        const text = answer.body.toString()
        if (answer.status === 200) {
          const { okEvents } = JSON.parse(text) as { okEvents: number }
          if (okEvents === numbers.length) queue.acknowledge(numbers)
          else problems.push(`${okEvents} of ${numbers.length} events were accepted`)
        } else {
          queue.retry(numbers)
          if (answer.status !== 503) problems.push(`/v1/b answered ${answer.status}: ${text}`)
        }
      } catch {
        isGone = true
        queue.retry(numbers)
      }
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
  http.close()
  return problems
}
