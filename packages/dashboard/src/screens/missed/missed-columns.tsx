import type { MissedSearch } from '@aisle/client'
import type { ReactNode } from 'react'
import { formatDay } from '../../format/time.ts'
import { Badge } from '../../ui/badge.tsx'
import { numberColumn, textColumn } from '../../ui/columns.tsx'
import type { Column } from '../../ui/table-model.ts'
import { EffectLine } from './effect-line.tsx'
import { mendText } from './mend-text.ts'
import type { State } from './missed-data.ts'

const QUERY = textColumn<MissedSearch>('query', 'Query', ({ query }) => query, {
  width: '22%',
  cell: ({ query }) => <bdi className="strong">{query}</bdi>,
})
const LOST = numberColumn<MissedSearch>('lost', 'Visitors lost', (one) => one.visitors_lost, {
  isMain: true,
  width: '120px',
})

/** The columns of each tab. */
export const COLUMNS: Readonly<Record<State, readonly Column<MissedSearch>[]>> = {
  open: [
    QUERY,
    LOST,
    textColumn('reason', 'Problem', reasonText, {
      width: '130px',
      cell: (one) => (
        <Badge kind={one.reason === 'no_results' ? 'bad' : 'warn'}>{reasonText(one)}</Badge>
      ),
    }),
    textColumn('next', 'Typed next', nextText),
    numberColumn('finds', 'Finds now', ({ finds }) => finds, { width: '100px' }),
  ],
  fixed: [
    QUERY,
    textColumn('state', 'Status', decidedText, {
      isMain: true,
      width: '24%',
      cell: (search) => <StatusText search={search} />,
    }),
    textColumn('fix', 'Fix', fixText),
    textColumn('by', 'Fixed by', ({ decided_by: by }) => by, { isHidden: true }),
    {
      id: 'effect',
      header: 'Effect',
      width: '38%',
      cell: (search) => <EffectLine search={search} />,
    },
  ],
  dismissed: [
    QUERY,
    LOST,
    textColumn('state', 'Status', decidedText),
    numberColumn('finds', 'Finds now', ({ finds }) => finds, { width: '100px' }),
  ],
}

/** "Fixed on 12 Nov, finds 14 now". */
export function StatusText({ search }: { readonly search: MissedSearch }): ReactNode {
  return (
    <>
      {decidedText(search)}
      {search.state === 'fixed' && search.finds === 0 && (
        <>
          {' '}
          <Badge kind="bad">Finds nothing</Badge>
        </>
      )}
    </>
  )
}

function decidedText({ state, decided_at: at = '', finds }: MissedSearch): string {
  const day = formatDay(Date.parse(at))
  if (state === 'dismissed') return `Dismissed on ${day}`
  return finds === null || finds === 0 ? `Fixed on ${day}` : `Fixed on ${day}, finds ${finds} now`
}

function fixText({ query, mend }: MissedSearch): string {
  return mend === undefined ? 'Marked as fixed' : mendText(query, mend)
}

function reasonText({ reason }: MissedSearch): string {
  return reason === 'no_results' ? 'No results' : 'No clicks'
}

function nextText({ typed_next: next }: MissedSearch): string {
  return next.map(({ query }) => query).join(', ')
}
