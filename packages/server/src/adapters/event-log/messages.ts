import type { ErasedIds, RefusedEvent, TallyCount } from '@aisle/events'

/** From a serving thread to the thread that owns the logs. Records go as they will lie on disk. */
export type ToEventThread =
  | {
      readonly kind: 'append'
      readonly callId: number
      readonly log: string
      readonly records: Uint8Array<ArrayBuffer>
      readonly counts: readonly TallyCount[]
      readonly refused: readonly RefusedEvent[]
    }
  /** Whether this thread wants to hear of what a log takes. */
  | { readonly kind: 'tail'; readonly log: string; readonly isOn: boolean }
  /** How far may a log be read? */
  | { readonly kind: 'end'; readonly callId: number; readonly log: string }
  /** The same of all logs that were written to lately. */
  | { readonly kind: 'ends'; readonly callId: number }
  /** Take the content out of the records at these positions. */
  | {
      readonly kind: 'erase'
      readonly callId: number
      readonly log: string
      readonly positions: readonly number[]
    }
  /** Take no event of a visitor any more that happened before now. */
  | {
      readonly kind: 'bar'
      readonly callId: number
      readonly log: string
      readonly visitor: ErasedIds
    }
  /** Remove segments whose events all arrived before a time. */
  | {
      readonly kind: 'dropBefore'
      readonly callId: number
      readonly log: string
      readonly receivedMs: number
    }

export type FromEventThread =
  | { readonly kind: 'appended'; readonly callId: number; readonly duplicates: readonly number[] }
  | { readonly kind: 'end'; readonly callId: number; readonly end: number }
  | { readonly kind: 'ends'; readonly callId: number; readonly ends: ReadonlyMap<string, number> }
  | { readonly kind: 'erased'; readonly callId: number }
  | { readonly kind: 'barred'; readonly callId: number }
  | { readonly kind: 'dropped'; readonly callId: number; readonly bytes: number }
  /** The log has taken what it may take in a day. */
  | {
      readonly kind: 'full'
      readonly callId: number
      readonly resetMs: number
      readonly waitMs: number
    }
  | { readonly kind: 'failed'; readonly callId: number; readonly isFinal: boolean }
  | {
      readonly kind: 'tailed'
      readonly log: string
      readonly records: Uint8Array
      readonly duplicates: readonly number[]
      readonly refused: readonly RefusedEvent[]
    }
