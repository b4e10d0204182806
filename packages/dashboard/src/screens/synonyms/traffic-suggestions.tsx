import type { SynonymSuggestion } from '@aisle/client'
import type { SynonymSet } from '@aisle/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { useProducts } from '../../parts/product-titles.tsx'
import { useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { toast } from '../../state/toasts.ts'
import { perform } from '../../state/change.ts'
import './synonyms.css'

/** Number of cards shown at first; a button shows the others. */
const SHOWN_FIRST = 5

/**
 * Synonyms that visitors suggest, each with its evidence, to be accepted or rejected.
 *
 * @param setName the set for accepted synonyms; undefined: a new set
 * @param onUndo restores what a set was before an acceptance made it this one
 */
export function TrafficSuggestions({
  setName,
  onUndo,
}: {
  readonly setName: string | undefined
  readonly onUndo: (accepted: SynonymSet) => Promise<unknown>
}): ReactNode {
  const { storeId, calls } = useStore()
  const refresh = useRefresh()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['synonym-suggestions', storeId],
    queryFn: () => calls.synonymSuggestions(),
    // Counted from the whole log, so not again at each visit of the page.
    staleTime: 60_000,
    retry: false,
  })
  const [isLong, setLong] = useState(false)
  const products = useProducts(data?.suggestions.flatMap(({ documents }) => documents) ?? [])
  const readAgain = () => refresh('synonym-sets', 'synonym-suggestions')
  const { mutate: decide, isPending } = useMutation({
    mutationFn: async (change: () => Promise<unknown>) => {
      await change()
      await readAgain()
    },
    onError: () => toast("Couldn't change the suggestion", 'bad'),
  })

  if (error !== null) {
    return (
      <Section
        title="Suggested from searches"
        actions={
          <Button size="small" isPending={isFetching} onPress={() => void refetch()}>
            Try again
          </Button>
        }
      >
        <ErrorNote attempt="load" error={error} />
      </Section>
    )
  }
  if (data === undefined) return null
  const { suggestions, rejected, reports_clicks: reportsClicks } = data
  const shown = isLong ? suggestions : suggestions.slice(0, SHOWN_FIRST)
  return (
    <Section
      title="Suggested from searches"
      about={
        suggestions.length > 0
          ? `Visitors searched for one, then for the other within minutes, and clicked. Nothing changes until you accept a pair into ${setName === undefined ? 'a set' : `“${setName}”`}.`
          : undefined
      }
    >
      {suggestions.length === 0 && (
        <p className="muted">
          {reportsClicks
            ? 'No suggestions. A pair is suggested when three visitors search for one, then for the other within minutes, and click.'
            : 'Suggestions need click events. Your shop sends none yet.'}
        </p>
      )}
      <ul className="lined">
        {shown.map((one) => (
          <Suggestion
            key={`${one.from}\n${one.to}`}
            suggestion={one}
            products={products}
            isPending={isPending}
            onAccept={(isMutual) =>
              decide(() =>
                perform({
                  write: () =>
                    calls.acceptSynonym({
                      from: one.from,
                      to: one.to,
                      both_ways: isMutual,
                      ...(setName === undefined ? {} : { set: setName }),
                    }),
                  done: ({ name }) => `Added to “${name}”`,
                  undo: (accepted) => onUndo(accepted).then(readAgain),
                }),
              )
            }
            onReject={() => {
              const pair = { from: one.from, to: one.to }
              decide(() =>
                perform({
                  write: () => calls.rejectSynonym(pair),
                  done: () => 'Not suggested again',
                  undo: () => calls.restoreSynonym(pair).then(readAgain),
                }),
              )
            }}
          />
        ))}
      </ul>
      {suggestions.length > shown.length && (
        <Button size="small" onPress={() => setLong(true)}>
          {`Show ${formatCount(suggestions.length - shown.length, 'more suggestion')}`}
        </Button>
      )}
      {rejected.length > 0 && (
        <Rejected pairs={rejected} onRestore={(pair) => decide(() => calls.restoreSynonym(pair))} />
      )}
    </Section>
  )
}

function Suggestion({
  suggestion,
  products,
  isPending,
  onAccept,
  onReject,
}: {
  readonly suggestion: SynonymSuggestion
  readonly products: ReturnType<typeof useProducts>
  readonly isPending: boolean
  readonly onAccept: (isMutual: boolean) => void
  readonly onReject: () => void
}): ReactNode {
  const mayEdit = useMay('editor')
  const { from, to, visitors, visitors_found_few: foundFew, examples, documents } = suggestion
  const [isMutual, setMutual] = useState(suggestion.both_ways)
  const queries = examples.filter((one) => one.from !== from || one.to !== to)
  return (
    <li className="synonym-suggestion">
      <div className="grow stack">
        <p>
          <bdi className="strong">{from}</bdi> <span aria-label="finds">→</span>{' '}
          <bdi className="strong">{to}</bdi>
        </p>
        <p className="small">
          {formatCount(visitors, 'visitor')} typed it instead, with{' '}
          {formatCount(suggestion.clicks, 'click')}
          {foundFew > 0 && <>; {foundFew === visitors ? 'all' : foundFew} had found little</>}.
        </p>
        {queries.length > 0 && (
          <p className="small muted">
            {queries.map((one, i) => (
              <span key={`${one.from}\n${one.to}`}>
                {i > 0 && ' · '}
                <bdi>{one.from}</bdi> → <bdi>{one.to}</bdi> ({one.visitors})
              </span>
            ))}
          </p>
        )}
        {documents.length > 0 && (
          <p className="small muted">
            Clicked:{' '}
            {documents.map((id, i) => (
              <span key={id}>
                {i > 0 && ', '}
                {products.get(id)?.title ?? <code>{id}</code>}
              </span>
            ))}
          </p>
        )}
      </div>
      <div className="row row-whole gap-12">
        <Checkbox isSelected={isMutual} isDisabled={!mayEdit} onChange={setMutual}>
          Both ways
        </Checkbox>
        <Button
          size="small"
          variant="ghost"
          icon={X}
          isDisabled={!mayEdit || isPending}
          aria-label={`Reject ${from} → ${to}`}
          onPress={onReject}
        >
          Reject
        </Button>
        <Button
          size="small"
          icon={Check}
          isDisabled={!mayEdit || isPending}
          aria-label={`Accept ${from} → ${to}`}
          onPress={() => onAccept(isMutual)}
        >
          Accept
        </Button>
      </div>
    </li>
  )
}

function Rejected({
  pairs,
  onRestore,
}: {
  readonly pairs: readonly { readonly from: string; readonly to: string }[]
  readonly onRestore: (pair: { from: string; to: string }) => void
}): ReactNode {
  const mayEdit = useMay('editor')
  return (
    <details className="synonym-rejected small">
      <summary>{formatCount(pairs.length, 'rejected suggestion')}</summary>
      <ul>
        {pairs.map(({ from, to }) => (
          <li key={`${from}\n${to}`} className="row">
            <span>
              <bdi>{from}</bdi> → <bdi>{to}</bdi>
            </span>
            <Button
              size="small"
              variant="ghost"
              isDisabled={!mayEdit}
              aria-label={`Restore ${from} → ${to}`}
              onPress={() => onRestore({ from, to })}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
