import type { EventVerdict } from '@aisle/contract'

interface VerdictText {
  readonly label: string
  readonly about: string
  readonly kind: 'good' | 'warn' | 'bad' | 'plain'
}

/** The outcome of an event, in the words of the pages. */
export const VERDICTS: Readonly<Record<EventVerdict, VerdictText>> = {
  accepted: { label: 'Accepted', about: 'Kept and counted.', kind: 'good' },
  dropped_unknown: {
    label: 'Unknown name',
    about: 'Unknown event name: ignored.',
    kind: 'warn',
  },
  invalid: { label: 'Invalid', about: 'Not kept.', kind: 'bad' },
  duplicate: {
    label: 'Duplicate',
    about: 'Duplicate message id: counted once.',
    kind: 'plain',
  },
}
