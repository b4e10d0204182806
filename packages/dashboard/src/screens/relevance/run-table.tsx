import { useMemo, type ReactNode } from 'react'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table-model.ts'
import { queryFigures, type ComparedQuery, type Gains, type QueryFigures } from './metrics.ts'
import { signed, toneOf } from './run-figures.tsx'
import { numberColumn, textColumn } from '../../ui/columns.tsx'

interface Row extends ComparedQuery, QueryFigures {
  readonly share: number
}

/** Every query of a run with its changes; a click shows both results side by side. */
export function RunTable({
  run,
  gainsOf,
  openQuery,
  onOpen,
}: {
  readonly run: readonly ComparedQuery[] | undefined
  readonly gainsOf: (q: string) => Gains
  readonly openQuery: string
  readonly onOpen: (q: string) => void
}): ReactNode {
  const rows = useMemo(() => {
    const total = (run ?? []).reduce((sum, { weight }) => sum + weight, 0)
    return run?.map((query): Row => ({
      ...query,
      ...queryFigures(query, gainsOf(query.q)),
      share: total === 0 ? 0 : query.weight / total,
    }))
  }, [run, gainsOf])
  return (
    <Table
      label="Queries"
      name="relevance-queries"
      rows={rows}
      columns={COLUMNS}
      rowId={({ q }) => q}
      openRowId={openQuery}
      onOpen={({ q }) => onOpen(q)}
      height="min(50vh, 520px)"
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  textColumn('query', 'Query', ({ q }) => q, {
    cell: ({ q, live, draft }) => (
      <span className="row row-whole">
        <span className="cut" title={q}>
          {q}
        </span>
        {(draft.error ?? live.error) !== undefined && <Badge kind="bad">Refused</Badge>}
      </span>
    ),
  }),
  numberColumn('share', 'Share', ({ share }) => share, { format: formatPercent }),
  numberColumn('a', 'Found by A', ({ live }) => live.found),
  numberColumn('b', 'Found by B', ({ draft }) => draft.found, {
    cell: ({ live, draft }) => (
      <span className={live.found > 0 && draft.found === 0 ? 'relevance-bad' : ''}>
        {formatNumber(draft.found)}
      </span>
    ),
  }),
  {
    id: 'overlap',
    header: 'In common',
    isNumber: true,
    isMain: true,
    cell: ({ overlap, isChanged }) =>
      isChanged && overlap === 1 ? 'other order' : isChanged ? formatPercent(overlap) : 'same',
    value: ({ overlap, isChanged }) => (isChanged ? overlap : 1.01),
  },
  numberColumn('gain', 'NDCG, B − A', gainOf, {
    cell: (row) => {
      const gain = gainOf(row)
      if (gain === undefined) return <span className="muted">–</span>
      return <span className={toneOf(gain)}>{signed(gain)}</span>
    },
  }),
]

function gainOf({ liveNdcg, draftNdcg }: Row): number | undefined {
  return liveNdcg === undefined || draftNdcg === undefined ? undefined : draftNdcg - liveNdcg
}
