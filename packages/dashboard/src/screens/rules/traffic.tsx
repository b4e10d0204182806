import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNow, useDebounced } from '../../state/clock.ts'
import { formatCount, formatNumber, formatPercent } from '../../format/numbers.ts'
import { useStore } from '../../session/store.ts'
import { ErrorNote, SkeletonLines } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import type { RuleEditorState } from './editor-state.ts'
import { filledRule } from './rule-draft.ts'

const DAY_MS = 86_400_000
/** As many as one preview takes. */
const QUERIES_MAX = 250
const QUERIES_SHOWN = 6

/** Yesterday's searches to which the rule would have applied. */
export function Traffic({
  state,
  isReady,
}: {
  readonly state: RuleEditorState
  readonly isReady: boolean
}): ReactNode {
  const { storeId, calls } = useStore()
  const { from, to } = yesterday(useNow())
  const report = useQuery({
    queryKey: ['report', storeId, 'top-queries', from, to, QUERIES_MAX],
    queryFn: () => calls.report('top-queries', { from, to, limit: QUERIES_MAX }),
    staleTime: DAY_MS,
  })
  const rows = report.data?.rows ?? []
  const { rule_contexts, filter_by } = state.occasion
  const asked = JSON.stringify({
    rule: filledRule(state.rule),
    search: {
      q: '*',
      per_page: 0,
      ...(rule_contexts === undefined ? {} : { rule_contexts }),
      ...(filter_by === undefined ? {} : { filter_by }),
    },
    queries: rows.map(({ query }) => query),
    ...(state.at === undefined ? {} : { at: state.at }),
  })
  const settled = useDebounced(asked, 400)
  const met = useQuery({
    queryKey: ['rule-traffic', storeId, settled],
    queryFn: () => calls.previewRule(JSON.parse(settled)),
    enabled: isReady && rows.length > 0,
    placeholderData: (before) => before,
  })
  const all = report.data?.totals.searches ?? 0
  const hit = rows.filter((_, i) => met.data?.applies_to?.[i] === true)
  const searches = hit.reduce((sum, row) => sum + row.searches, 0)
  return (
    <Section
      title="Yesterday’s searches"
      {...(hit.length === 0 ? {} : { about: 'Click one to see its results with the rule.' })}
    >
      {report.isError && <ErrorNote attempt="load" error={report.error} />}
      {(report.isPending || (rows.length > 0 && met.isPending && isReady)) && (
        <SkeletonLines count={3} />
      )}
      {report.isSuccess && rows.length === 0 && (
        <p className="muted">
          No searches yesterday. Searches that the rule applies to appear here.
        </p>
      )}
      {met.data !== undefined && rows.length > 0 && (
        <>
          <p>
            {hit.length === 0 ? (
              'None of them match the rule.'
            ) : (
              <>
                The rule would have applied to{' '}
                <strong>{formatCount(searches, 'search', 'searches')}</strong>,{' '}
                {formatPercent(all === 0 ? null : searches / all)} of {formatNumber(all)}, in{' '}
                {formatCount(hit.length, 'query', 'queries')}.
              </>
            )}
          </p>
          <ul className="rules-traffic">
            {hit.slice(0, QUERIES_SHOWN).map(({ query, searches: count }) => (
              <li key={query}>
                <button type="button" onClick={() => state.setQ(query === '*' ? '' : query)}>
                  <span className="cut">{query === '*' ? '(everything)' : query}</span>
                  <span className="number muted small">{formatNumber(count)}</span>
                </button>
              </li>
            ))}
          </ul>
          {hit.length > QUERIES_SHOWN && (
            <p className="small muted">
              And {formatNumber(hit.length - QUERIES_SHOWN)} more queries.
            </p>
          )}
          {(report.data?.totals.queries ?? 0) > QUERIES_MAX && (
            <p className="small muted">
              Of the {QUERIES_MAX} most frequent of {formatNumber(report.data?.totals.queries ?? 0)}{' '}
              queries.
            </p>
          )}
        </>
      )}
    </Section>
  )
}

/** The day before, UTC, as the reports count days. */
function yesterday(nowMs: number): { readonly from: string; readonly to: string } {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  return {
    from: new Date(today - DAY_MS).toISOString(),
    to: new Date(today).toISOString(),
  }
}
