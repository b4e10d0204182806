import type { RulePreview } from '@aisle/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { useSettings } from '../../parts/store-queries.ts'
import { storePath, useStore } from '../../session/store.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { EmptyState, Note, Skeleton } from '../../ui/states.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { toast } from '../../state/toasts.ts'
import { ChosenBar } from './chosen-bar.tsx'
import type { RuleEditorState } from './editor-state.ts'
import { liveCards, lostHits, resultCards } from './result-cards.ts'
import { ResultGrid } from './result-grid.tsx'
import { hidden, pinned, unpinned } from './rule-draft.ts'
import { momentText } from './rule-words.ts'
import { ownValue } from '../../format/own-value.ts'
import { AnswerNotes } from '../../parts/answer-notes.tsx'

export interface ResultsProps {
  readonly state: RuleEditorState
  readonly preview: UseQueryResult<RulePreview>
  readonly shown: number
  readonly canShowMore: boolean
  readonly onShowMore: () => void
  readonly mayEdit: boolean
  /** Whether they are those of a page without a query. */
  readonly isPage?: boolean
}

const SKELETONS = 12

/** What a visitor finds, with the rule and without it. */
export function Results(props: ResultsProps): ReactNode {
  const { state, preview, shown, canShowMore, onShowMore, mayEdit, isPage = false } = props
  const settings = useSettings()
  const [view, setView] = useUrlState('view', 'with')
  const [chosenId, choose] = useState('')
  const data = useKept(preview.data)
  const isWith = view !== 'without'
  const isBeside = isPage && view === 'beside'
  const answer = isWith ? data?.preview : data?.live
  const cards = data === undefined ? [] : isWith ? resultCards(data, state.rule) : liveCards(data)
  const chosen = cards.find(({ hit }) => hit.id === chosenId)
  const card = settings.data?.product_card
  const { rule, set } = state
  const hide = (id: string): void => {
    const before = rule
    set(hidden(rule, id))
    choose('')
    toast('Hidden by this rule', 'good', () => set(before))
  }
  const pin = (id: string, place: number): void => set(pinned(rule, id, place))
  return (
    <section className="rules-results" aria-label="Results of the rule">
      <div className="rules-search row gap-12">
        {isPage ? (
          <h2 className="grow">Page</h2>
        ) : (
          <SearchField
            label="Search to see what the rule does"
            value={state.q}
            onChange={state.setQ}
            maxLength={1_000}
          />
        )}
        <Segmented
          label="Results shown"
          options={[
            { value: 'with', label: 'With the rule' },
            { value: 'without', label: 'Without the rule' },
            ...(isPage ? ([{ value: 'beside', label: 'Side by side' }] as const) : []),
          ]}
          value={isWith ? (isBeside ? 'beside' : 'with') : 'without'}
          onChange={setView}
        />
      </div>
      <div className="row small" role="status">
        {data === undefined || answer === undefined ? (
          <span className="muted">Searching</span>
        ) : (
          <>
            <span className="number muted">{formatCount(answer.found, 'product')}</span>
            <Badge kind={data.applies ? 'good' : 'plain'}>
              {data.applies ? 'The rule applies' : 'The rule does not apply to this search'}
            </Badge>
            {isWith && data.preview.found !== data.live.found && (
              <span className="muted number">{formatNumber(data.live.found)} without the rule</span>
            )}
          </>
        )}
      </div>
      {!isPage && <Occasion state={state} />}
      {answer !== undefined && (
        <>
          <AnswerNotes answer={answer} />
          <OtherRules answer={answer} ownId={state.draft.id} />
        </>
      )}
      {data === undefined ? (
        preview.isError ? (
          <p className="muted">Complete the rule to see its results.</p>
        ) : (
          <div className="rules-grid">
            {Array.from({ length: SKELETONS }, (_, i) => (
              <Skeleton key={i} height={210} />
            ))}
          </div>
        )
      ) : cards.length === 0 ? (
        <EmptyState icon={SearchX} title="No results">
          Visitors see an empty page. Pin products, or replace the query.
        </EmptyState>
      ) : (
        <>
          {mayEdit && isWith && (
            <p className="small muted rules-howto">
              Drag a product to pin it, or select it and press <kbd>P</kbd>, arrow keys,{' '}
              <kbd>Enter</kbd>.
            </p>
          )}
          <div className={isBeside ? 'rules-beside' : undefined}>
            {isBeside && (
              <section className="stack gap-8">
                <h3>Live</h3>
                <ResultGrid
                  label="Live results"
                  cards={liveCards(data)}
                  card={card}
                  chosenId={chosenId}
                  onChoose={choose}
                  onPin={undefined}
                  onUnpin={() => undefined}
                  onHide={() => undefined}
                />
              </section>
            )}
            <section className="stack gap-8">
              {isBeside && <h3>With the rule</h3>}
              <ResultGrid
                cards={cards}
                card={card}
                chosenId={chosenId}
                onChoose={choose}
                onPin={mayEdit && isWith ? pin : undefined}
                onUnpin={(id) => set(unpinned(rule, id))}
                onHide={hide}
              />
            </section>
          </div>
          {answer !== undefined && answer.found > shown && canShowMore && (
            <div className="row row-center">
              <Button onPress={onShowMore}>Show more products</Button>
            </div>
          )}
        </>
      )}
      {data !== undefined && isWith && <Lost data={data} />}
      {chosen !== undefined && (
        <ChosenBar
          chosen={chosen}
          card={card}
          state={state}
          mayEdit={mayEdit && isWith}
          onPin={(place) => pin(chosen.hit.id, place)}
          onHide={() => hide(chosen.hit.id)}
          onClose={() => choose('')}
        />
      )}
    </section>
  )
}

/** While a rule is being typed it may be invalid: keep the last results. */
function useKept<Data>(data: Data | undefined): Data | undefined {
  const [last, setLast] = useState(data)
  if (data !== undefined && data !== last) setLast(data)
  return data ?? last
}

/** The parameters that the preview adds to its query, so that the rule applies. */
function Occasion({ state: { occasion, at } }: { readonly state: RuleEditorState }): ReactNode {
  const parts = [
    ...(at === undefined ? [] : [`at ${momentText(at)}, when the rule could apply`]),
    ...(occasion.rule_contexts ?? []).map((one) => `with the context “${one}”`),
    ...(occasion.filter_by === undefined ? [] : [`with the filter ${occasion.filter_by}`]),
  ]
  if (parts.length === 0) return null
  return <Note>Searched {parts.join(', ')}.</Note>
}

function OtherRules({
  answer: { applied_rules: applied = [] },
  ownId,
}: {
  readonly answer: RulePreview['preview']
  readonly ownId: string
}): ReactNode {
  const { storeId } = useStore()
  const others = applied.filter((id) => id !== ownId && id !== UNNAMED)
  if (others.length === 0) return null
  return (
    <p className="small muted">
      Also applied:{' '}
      {others.map((id, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <Link href={`${storePath(storeId, 'rules')}?rule=${encodeURIComponent(id)}`}>{id}</Link>
        </span>
      ))}
    </p>
  )
}

/** The service's name for a rule without an id in a preview. */
const UNNAMED = '(preview)'

function Lost({ data }: { readonly data: RulePreview }): ReactNode {
  const settings = useSettings()
  const lost = lostHits(data)
  if (lost.length === 0) return null
  const titles = lost.map(({ id, document }) => {
    const field = settings.data?.product_card.title
    const title = field === undefined || field === null ? undefined : ownValue(document, field)
    return typeof title === 'string' ? title : id
  })
  return (
    <p className="small muted">
      No longer among these results: {titles.slice(0, LOST_SHOWN).join(' · ')}
      {titles.length > LOST_SHOWN && ` and ${titles.length - LOST_SHOWN} more`}
    </p>
  )
}

const LOST_SHOWN = 5
