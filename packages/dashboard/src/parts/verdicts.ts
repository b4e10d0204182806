import type { EventVerdict, TailedEvent } from '@aisle/contract'

interface VerdictText {
  readonly label: string
  readonly about: string
  readonly kind: 'good' | 'warn' | 'bad' | 'plain'
}

/** Accepted, but the reports cannot use all of it. */
const INCOMPLETE: VerdictText = {
  label: 'Incomplete',
  about: 'Kept, but reports can’t use all of it.',
  kind: 'warn',
}

export function verdictText({ verdict, warnings }: Pick<TailedEvent, 'verdict' | 'warnings'>) {
  return verdict === 'accepted' && (warnings?.length ?? 0) > 0 ? INCOMPLETE : VERDICTS[verdict]
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
