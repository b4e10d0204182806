import type { RefusedEvent, TallyCount } from '@aisle/events'

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

export type FromEventThread =
  | { readonly kind: 'appended'; readonly callId: number; readonly duplicates: readonly number[] }
  | { readonly kind: 'end'; readonly callId: number; readonly end: number }
  | { readonly kind: 'failed'; readonly callId: number; readonly isFinal: boolean }
  | {
      readonly kind: 'tailed'
      readonly log: string
      readonly records: Uint8Array
      readonly duplicates: readonly number[]
      readonly refused: readonly RefusedEvent[]
    }
