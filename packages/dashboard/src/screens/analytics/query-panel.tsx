import { Search, SearchX, Wand } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { useMay } from '../../session/session.ts'
import { useStore, queryLinks } from '../../session/store.ts'
import { useUrlState } from '../../state/url-state.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ErrorNote, SkeletonLines } from '../../ui/states.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import {
  amountOf,
  decimalText,
  revenueText,
  revenueTexts,
  withChange,
} from '../../parts/figures.ts'
import { QueryProducts } from './query-products.tsx'
import { useReport } from './report-data.ts'

/** A query from its figures to its results and clicks, and on to a rule or a fix. */
export function QueryPanel(): ReactNode {
  const [query, setQuery] = useUrlState('query')
  return (
    <SidePanel
      title={query === '*' ? 'All products (no query)' : query}
      isOpen={query !== ''}
      onClose={() => setQuery('')}
    >
      {query !== '' && <Query key={query} query={query} />}
    </SidePanel>
  )
}

function Query({ query }: { readonly query: string }): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const links = queryLinks(storeId, query)
  return (
    <div className="stack-groups">
      <div className="stack">
        <div className="row">
          <LinkButton to={links.preview} icon={Search}>
            Open in preview
          </LinkButton>
          {mayEdit && query !== '*' && (
            <>
              <LinkButton to={links.rule} icon={Wand}>
                Create rule
              </LinkButton>
              <LinkButton to={links.fix} icon={SearchX}>
                Find a fix
              </LinkButton>
            </>
          )}
        </div>
        {!mayEdit && (
          <p className="small muted">Only editors and owners can create rules and fix searches.</p>
        )}
      </div>
      <QueryFigures query={query} />
      <QueryProducts query={query} />
    </div>
  )
}

function QueryFigures({ query }: { readonly query: string }): ReactNode {
  const { data, error } = useReport('top-queries', { query })
  if (error !== null) return <ErrorNote attempt="load" error={error} />
  if (data === undefined) return <SkeletonLines count={3} />
  const row = data.rows[0]
  if (row === undefined) return <p className="muted">Not searched for in this period.</p>
  const earlier = data.comparison?.rows[0]
  const facts = [
    [
      'Searches',
      formatNumber(row.searches),
      earlier && withChange(formatNumber(earlier.searches), row.searches, earlier.searches),
    ],
    [
      'Visitors',
      formatNumber(row.users),
      earlier && withChange(formatNumber(earlier.users), row.users, earlier.users),
    ],
    ['Average results', decimalText(row.average_results)],
    [
      'Click-through rate',
      formatPercent(row.click_through_rate),
      earlier && withPoints(row.click_through_rate, earlier.click_through_rate),
    ],
    ['Average click position', decimalText(row.average_click_position)],
    [
      'Conversion rate',
      formatPercent(row.conversion_rate),
      earlier && withPoints(row.conversion_rate, earlier.conversion_rate),
    ],
    [
      'Revenue',
      row.revenue.length > 1 ? revenueTexts(row.revenue).join(' + ') : revenueText(row.revenue),
      earlier &&
        withChange(
          revenueText(earlier.revenue),
          row.revenue[0]?.currency === earlier.revenue[0]?.currency ? amountOf(row.revenue) : null,
          amountOf(earlier.revenue),
        ),
    ],
  ] as const
  return (
    <dl className="analytics-facts">
      {facts.map(([name, value, was]) => (
        <div key={name}>
          <dt className="small muted">{name}</dt>
          <dd className="number">
            <span className="strong">{value}</span>
            {was !== undefined && <span className="small muted"> from {was}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** `50.0% (−1.6 points)`: an earlier rate with the change since then. */
function withPoints(now: number | null, was: number | null): string {
  const text = formatPercent(was)
  if (now === null || was === null) return text
  const points = Math.round((now - was) * 1_000) / 10
  if (points === 0) return `${text} (no change)`
  return `${text} (${points > 0 ? '+' : '−'}${formatNumber(Math.abs(points), 1)} points)`
}
