import type { ReactNode } from 'react'
import { TextHint } from '../../ui/hint.tsx'
import { Section } from '../../ui/page.tsx'
import type { BackgroundJob, Refusals, ServiceActivity, SlowSearch } from '@aisle/client'
import { Link } from 'wouter'
import { formatDuration, formatNumber, formatPercent } from '../../format/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { storePath } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { Progress } from '../../ui/progress.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { numberColumn, timeColumn, textColumn } from '../../ui/columns.tsx'

/** Names of stores, by their ids. */
export type StoreNames = ReadonlyMap<string, string>

const JOBS: Readonly<Record<BackgroundJob['kind'], readonly [string, string]>> = {
  analysis: [
    'Re-index products',
    'For a new language or schema. Searches use the current index until then.',
  ],
  merge: ['Merge segments', 'Combines small index segments.'],
  dictionary: ['Build word indexes', 'For prefixes and typos.'],
  index_files: ['Write index files', 'For a fast next start.'],
  snapshot: ['Create snapshot', 'A copy of all data.'],
  suggestions: ['Rebuild suggestions', 'After events were deleted.'],
}

export function Jobs({
  jobs,
  names,
}: {
  readonly jobs: readonly BackgroundJob[]
  readonly names: StoreNames
}): ReactNode {
  return (
    <Section title="Background jobs" about="Jobs running beside searches and writes.">
      {jobs.length === 0 ? (
        <p className="muted">No jobs.</p>
      ) : (
        <ul className="lined">
          {jobs.map((job, i) => (
            <li key={i} className="row gap-12">
              <span className="grow">
                <span className="strong">{JOBS[job.kind][0]}</span>{' '}
                {job.store_id !== undefined && <StoreLink storeId={job.store_id} names={names} />}
                <span className="muted small health-about">{JOBS[job.kind][1]}</span>
              </span>
              {job.documents_total !== undefined && job.documents_done !== undefined ? (
                <JobProgress done={job.documents_done} total={job.documents_total} />
              ) : (
                job.since !== undefined && (
                  <span className="muted small">
                    <Time at={job.since} />
                  </span>
                )
              )}
              <Badge kind={job.state === 'running' ? 'accent' : 'plain'}>
                {job.state === 'running' ? 'Running' : 'Waiting'}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function JobProgress({
  done,
  total,
}: {
  readonly done: number
  readonly total: number
}): ReactNode {
  const text = `${formatNumber(done)} of ${formatNumber(total)} products`
  return (
    <span className="health-progress stack gap-4">
      <Progress value={total === 0 ? 1 : done / total} label={text} />
      <span className="muted small number">{text}</span>
    </span>
  )
}

export function Threads({ threads }: { readonly threads: ServiceActivity['threads'] }): ReactNode {
  return (
    <Facts
      title="Thread load"
      facts={threads.map(({ name, busy }) => ({
        name: THREADS[name] ?? `Searches, ${name.replace('serve-', 'thread ')}`,
        value: formatPercent(busy, 0),
      }))}
    />
  )
}

const THREADS: Readonly<Record<string, string>> = {
  main: 'Writing',
  events: 'Events',
  reports: 'Reports',
  suggestions: 'Suggestions',
}

export function SlowSearches({
  activity: { slow_searches, slow_search_min_ms },
  names,
}: {
  readonly activity: ServiceActivity
  readonly names: StoreNames
}): ReactNode {
  const limit = formatDuration(slow_search_min_ms)
  const hasQueries = slow_searches.some(({ q }) => q !== undefined)
  const columns: readonly Column<SlowSearch>[] = [
    timeColumn('at', 'When', ({ at }) => at),
    storeColumn(names),
    ...(hasQueries
      ? [
          textColumn('q', 'Query', ({ q }: SlowSearch) => q ?? '', {
            cell: ({ q }: SlowSearch) => (
              <bdi className="cut" title={q}>
                {q === '' ? (
                  <span className="muted">empty</span>
                ) : (
                  (q ?? <span className="muted">–</span>)
                )}
              </bdi>
            ),
          }),
        ]
      : []),
    numberColumn('took', 'Took', (row) => row.took_ms, { format: formatDuration, isMain: true }),
    numberColumn('found', 'Found', ({ found }) => found),
    textColumn('cut', 'Timed out', ({ cut_off }) => (cut_off ? 'yes' : ''), {
      cell: ({ cut_off }) => (cut_off ? <Badge kind="warn">Cut short</Badge> : ''),
    }),
  ]
  return (
    <Section title="Slow searches" about={`Latest searches of ${limit} or more.`} isPlain>
      {slow_searches.length === 0 ? (
        <p className="muted">No search has taken {limit} since startup.</p>
      ) : (
        <Table
          label="Slow searches"
          name="slow-searches"
          rows={slow_searches.map((search, i) => ({ ...search, key: `${search.at} ${i}` }))}
          columns={columns}
          rowId={({ key }) => key}
        />
      )}
    </Section>
  )
}

/** Why a request was refused although nothing was wrong with it. */
const REASONS: Readonly<Record<string, string>> = {
  rate_limited: 'Too many requests from one address',
  quota_exceeded: 'Monthly search or daily event quota used up',
  unavailable: 'Overloaded, or starting',
  unread_answers: 'Too many large responses were not read',
  request_quarantined: 'Crashed threads before',
  disk_reserve: 'The disk is nearly full',
}

export function RefusedRequests({
  refusals,
  names,
}: {
  readonly refusals: readonly Refusals[]
  readonly names: StoreNames
}): ReactNode {
  const columns: readonly Column<Refusals>[] = [
    textColumn('reason', 'Why', ({ reason }) => REASONS[reason] ?? reason, {
      isMain: true,
      cell: ({ reason, status }) => (
        <>
          {REASONS[reason] ?? 'Refused temporarily'}{' '}
          <code className="muted small">
            {status} {reason}
          </code>
        </>
      ),
    }),
    storeColumn(names),
    numberColumn('count', 'Requests', ({ count }) => count, { isMain: true }),
    timeColumn('last', 'Last', (row) => row.last_at),
  ]
  return (
    <Section
      title="Refused requests"
      about="Valid requests refused since startup, by reason and store."
      isPlain
    >
      {refusals.length === 0 ? (
        <p className="muted">None.</p>
      ) : (
        <Table
          label="Refused requests"
          name="refused-requests"
          rows={refusals}
          columns={columns}
          rowId={({ reason, store_id }) => `${reason} ${store_id ?? ''}`}
        />
      )}
    </Section>
  )
}

function storeColumn<Row extends { readonly store_id?: string | undefined }>(
  names: StoreNames,
): Column<Row> {
  return {
    id: 'store',
    header: 'Store',
    isMain: true,
    value: ({ store_id }) => (store_id === undefined ? '' : (names.get(store_id) ?? store_id)),
    cell: ({ store_id }) => <StoreLink storeId={store_id} names={names} />,
  }
}

function StoreLink({
  storeId,
  names,
}: {
  readonly storeId: string | undefined
  readonly names: StoreNames
}): ReactNode {
  if (storeId === undefined) return <span className="muted">–</span>
  const name = names.get(storeId)
  // It may be gone by now.
  if (name === undefined) return <bdi>{storeId}</bdi>
  return (
    <Link href={storePath(storeId)}>
      <bdi>{name}</bdi>
    </Link>
  )
}

export interface Fact {
  readonly name: string
  readonly value: ReactNode
  /** In a tooltip. */
  readonly about?: string
}

/** Names and values below each other, in a card. */
export function Facts({
  title,
  facts,
}: {
  readonly title: string
  readonly facts: readonly Fact[]
}): ReactNode {
  return (
    <Section title={title}>
      <dl className="health-facts">
        {facts.map(({ name, value, about }) => (
          <div key={name}>
            <dt className="muted">
              {about === undefined ? name : <TextHint text={about}>{name}</TextHint>}
            </dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
