import {
  LEARNING_PLACES_PER_NETWORK_MAX as PLACES_PER_NETWORK_MAX,
  POPULARITY_CLICKS_PER_CLIENT_MAX as CLICKS_PER_CLIENT_MAX,
  SUGGESTION_SESSIONS_PER_CLIENT_MAX as SESSIONS_PER_CLIENT_MAX,
  SUGGESTION_SESSIONS_PER_VISITOR_MAX as SESSIONS_PER_VISITOR_MAX,
} from '@aisle/contract'
import type { Visitor } from '@aisle/event-log'
import { hashText } from '../text/hash.ts'
import { networkOf } from './actor.ts'
import type { RecentMarks } from './recent-marks.ts'

/** Decides whose events count: anyone can send events, with any number of claimed sessions. */
export class FloodGuard {
  readonly #marks: RecentMarks

  constructor(marks: RecentMarks) {
    this.#marks = marks
  }

  /**
   * Whether a session counts for a thing: first, again, or refused because others have reached the
   * limit.
   */
  share(thing: string, session: string, visitor: Visitor): 'first' | 'again' | 'refused' {
    const marks = this.#marks
    const hash = hashText(`session ${session} ${thing}`)
    const known = marks.get(hash)
    if (known > 0) return known === COUNTED ? 'again' : 'refused'
    const id = visitor.anonymousId ?? visitor.userId
    const { client } = visitor
    const isFlood =
      (id !== undefined &&
        marks.raise(hashText(`visitor ${id} ${thing}`)) >= SESSIONS_PER_VISITOR_MAX) ||
      (client !== undefined &&
        marks.raise(hashText(`client ${client} ${thing}`)) >= SESSIONS_PER_CLIENT_MAX)
    marks.set(hash, isFlood ? REFUSED : COUNTED)
    return isFlood ? 'refused' : 'first'
  }

  /**
   * Counts in ranking are a target for fraud: a client counts once, for any number of claimed
   * sessions.
   */
  mayRank(thing: string, visitor: Visitor): boolean {
    const id = visitor.anonymousId ?? visitor.userId
    const { client } = visitor
    // Both are raised: neither another id nor another address makes a new visitor.
    const before = [
      id === undefined ? 0 : this.#marks.raise(hashText(`rank visitor ${id} ${thing}`)),
      client === undefined ? 0 : this.#marks.raise(hashText(`rank client ${client} ${thing}`)),
    ]
    return Math.max(...before) < CLICKS_PER_CLIENT_MAX
  }

  /** Whether a click may tell how often its position is clicked: one network must not decide. */
  mayPlace(day: number, visitor: Visitor): boolean {
    const network = hashText(`places ${day} ${networkOf(visitor)}`)
    return this.#marks.raise(network) < PLACES_PER_NETWORK_MAX
  }
}

const COUNTED = 1
const REFUSED = 2
