import type { ReportAnswer, ReportName, ReportParameters } from '@aisle/client'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useStore } from '../../session/store.ts'
import { useDateRange } from '../../state/date-range.ts'
import { useDebounced } from '../../state/clock.ts'
import { useUrlState } from '../../state/url-state.ts'
import { numberColumn } from '../../ui/columns.tsx'
import type { Column } from '../../ui/table-model.ts'

/** Maximum rows of a table of this page; the totals cover more. */
export const ROWS_MAX = 1_000
const TYPING_MS = 400

type Parameters = Omit<ReportParameters, 'format'>

/** A report over the period, comparison and tags of the address. */
export function useReport<Name extends ReportName>(
  name: Name,
  more: Parameters = {},
  { isCompared = true }: { readonly isCompared?: boolean } = {},
): UseQueryResult<ReportAnswer<Name>> {
  const { storeId, calls } = useStore()
  const { from, toExclusive, compare } = useDateRange()
  const { tags, match } = useTags()
  const settled = useDebounced(tags.join(','), TYPING_MS)
  const parameters: Parameters = {
    from,
    to: toExclusive,
    ...(compare === undefined || !isCompared ? {} : { compare }),
    ...(settled === '' ? {} : { tags: settled.split(','), tags_match_mode: match }),
    ...more,
  }
  return useQuery({
    queryKey: ['report', storeId, name, parameters],
    queryFn: () => calls.report(name, parameters),
    placeholderData: keepPreviousData,
  })
}

export interface TagState {
  readonly text: string
  readonly setText: (text: string) => void
  readonly tags: readonly string[]
  readonly match: 'any' | 'all'
  readonly setMatch: (match: 'any' | 'all') => void
}

/** The `analytics_tags` that restrict everything: `mobile, de` in the address. */
export function useTags(): TagState {
  const [text, setText] = useUrlState('tags', '', { isTyped: true })
  const [match, setMatch] = useUrlState('tagsMatch', 'any')
  const tags = useMemo(() => {
    const given = text.split(',').map((tag) => tag.trim())
    return [...new Set(given.filter((tag) => tag !== ''))]
  }, [text])
  return { text, setText, tags, match: match === 'all' ? 'all' : 'any', setMatch }
}

/** The column of the compared period, where there is one. */
export function comparedColumn<Row>(
  isCompared: boolean,
  header: string,
  value: (row: Row) => number | null | undefined,
  further: Partial<Column<Row>> = {},
): readonly Column<Row>[] {
  return isCompared ? [{ ...numberColumn('earlier', header, value), ...further }] : []
}
