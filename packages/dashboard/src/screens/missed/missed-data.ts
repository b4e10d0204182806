import { RefusedError, type DecidedMissedSearch, type Mend, type MissedSearch } from '@aisle/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { formatCount } from '../../format/numbers.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { perform } from '../../state/change.ts'
import { toast } from '../../state/toasts.ts'
import { useUrlState } from '../../state/url-state.ts'

export const STATES = ['open', 'fixed', 'dismissed'] as const
export type State = (typeof STATES)[number]
export const PAGE_ROWS = 20
/** Periods of searches, in days. */
export const PERIODS = ['7', '30', '90'] as const
const PERIOD_DEFAULT = '30'

/** The period in the address. */
export function usePeriod(): [string, (days: string) => void] {
  return useUrlState('days', PERIOD_DEFAULT)
}

export function useMissedSearches(state: State, page: number) {
  const { storeId, calls } = useStore()
  const [days] = usePeriod()
  const parameters = { state, days: Number(days), limit: PAGE_ROWS, page }
  return useQuery({
    queryKey: ['missed-searches', storeId, parameters],
    queryFn: () => calls.missedSearches(parameters),
  })
}

/** One query in whatever state, also if no list has it: another page links to it. */
export function useMissedSearch(query: string, isAsked: boolean) {
  const { storeId, calls } = useStore()
  const [days] = usePeriod()
  const parameters = { query, days: Number(days) }
  return useQuery({
    queryKey: ['missed-searches', storeId, parameters],
    queryFn: async () => (await calls.missedSearches(parameters)).searches[0],
    enabled: isAsked,
  })
}

export function useMends(query: string) {
  const { storeId, calls } = useStore()
  const [days] = usePeriod()
  return useQuery({
    queryKey: ['mends', storeId, query, days],
    queryFn: () => calls.mends(query, { days: Number(days) }),
  })
}

/** Fix, dismiss and reopen, each confirmed by a toast that undoes it. */
export function useDecisions(onDone: () => void) {
  const { calls } = useStore()
  const refresh = useRefresh()
  const readAgain = () => refresh('missed-searches', 'mends', 'synonym-sets', 'rules', 'search')
  const reopen = async ({ query, etag }: Pick<MissedSearch, 'query' | 'etag'>) => {
    const done = await calls.decideMissedSearch('reopen', { query }, etag)
    await readAgain()
    return done
  }
  return useMutation({
    mutationFn: async ({ search: { query, etag }, decision, mend }: Decision) => {
      if (decision === 'reopen') {
        const { kept_rule: kept } = await reopen({ query, etag })
        const stays = kept === undefined ? '' : '. Its rule stays, because someone has edited it'
        onDone()
        return toast(`Reopened “${query}”${stays}`, 'good')
      }
      const request = { query, ...(mend === undefined ? {} : { mend }) }
      await perform<DecidedMissedSearch>({
        write: () => calls.decideMissedSearch(decision, request, etag),
        after: () => {
          onDone()
          return readAgain()
        },
        done: (done) => (decision === 'fix' ? fixedText(done) : `Dismissed “${query}”`),
        undo: reopen,
      })
    },
    onError: (error) => {
      if (!(error instanceof RefusedError) || error.status !== 412) return
      toast('Someone else has already handled this search', 'bad')
      void readAgain()
    },
  })
}

interface Decision {
  readonly search: MissedSearch
  readonly decision: 'fix' | 'dismiss' | 'reopen'
  readonly mend?: Mend
}

function fixedText({ query, finds }: DecidedMissedSearch): string {
  return finds === null
    ? `Fixed “${query}”`
    : `Fixed: “${query}” finds ${formatCount(finds, 'product')} now`
}
