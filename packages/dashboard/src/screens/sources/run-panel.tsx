import type { SourceRunDetail } from '@aisle/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { useStore } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { ErrorState, Note, SkeletonLines } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { runState } from './source-text.ts'

const FIGURES = [
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['unchanged', 'Unchanged'],
  ['removed', 'Removed'],
  ['missing', 'Missing in the source'],
  ['refused', 'Refused'],
] as const

const RUNNING_MS = 1_000

/** What one run has read, and what it changed. */
export function RunPanel({
  source,
  id,
  onClose,
}: {
  readonly source: string
  readonly id: string
  readonly onClose: () => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const { data, error, refetch } = useQuery({
    queryKey: ['sources', storeId, source, 'run', id],
    queryFn: () => calls.sourceRun(source, id),
    refetchInterval: ({ state }) => (state.data?.run.state === 'running' ? RUNNING_MS : false),
  })
  const run = data?.run
  return (
    <SidePanel title={run?.kind === 'dry_run' ? 'Dry run' : 'Run'} onClose={onClose}>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonLines />}
      {run !== undefined && (
        <>
          <p className="row gap-8">
            <Badge kind={runState(run)[0]}>{runState(run)[1]}</Badge>
            <Time at={run.created_at} />
          </p>
          {run.error !== undefined && (
            <Note kind="bad">
              <bdi>{run.error}</bdi>
            </Note>
          )}
          {run.kind === 'dry_run' && <Note>Nothing was written.</Note>}
          {run.unchanged_since_last === true && (
            <Note>The source said that it has not changed: nothing was read.</Note>
          )}
          <dl className="sources-facts">
            {FIGURES.map(([name, label]) => (
              <div key={name}>
                <dt className="small muted">{label}</dt>
                <dd>{formatNumber(run[name])}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {data !== undefined && <Diff {...data} />}
    </SidePanel>
  )
}

function Diff({ run, diff: { added, changed, removed, refused } }: SourceRunDetail): ReactNode {
  return (
    <>
      <Part title="Refused" count={refused.length} total={run.refused}>
        {refused.map(({ row, id = '', error }) => (
          <li key={row}>
            <span className="strong">
              Row {formatNumber(row)} <bdi>{id}</bdi>
            </span>
            <bdi className="sources-fault">{error}</bdi>
          </li>
        ))}
      </Part>
      <Part title="Changed" count={changed.length} total={run.changed}>
        {changed.map(({ id, fields }) => (
          <li key={id}>
            <bdi className="strong">{id}</bdi>
            {fields.map(({ field, before = '–', after = '–' }) => (
              <span key={field} className="small">
                <bdi>{field}</bdi>: <del className="sources-before">{before}</del>{' '}
                <ins className="sources-after">{after}</ins>
              </span>
            ))}
          </li>
        ))}
      </Part>
      <Part title="Added" count={added.length} total={run.added}>
        {added.map(({ id, document }) => (
          <li key={id}>
            <bdi className="strong">{id}</bdi>
            <code className="sources-json small">{document}</code>
          </li>
        ))}
      </Part>
      <Part title="Removed" count={removed.length} total={run.removed}>
        {removed.map((id) => (
          <li key={id}>
            <bdi className="strong">{id}</bdi>
          </li>
        ))}
      </Part>
    </>
  )
}

function Part({
  title,
  count,
  total,
  children,
}: {
  readonly title: string
  readonly count: number
  readonly total: number
  readonly children: ReactNode
}): ReactNode {
  if (count === 0) return null
  return (
    <section className="stack gap-8">
      <h3>
        {title}{' '}
        {total > count && (
          <span className="muted small">
            the first {formatNumber(count)} of {formatNumber(total)}
          </span>
        )}
      </h3>
      <ul className="sources-diff">{children}</ul>
    </section>
  )
}
