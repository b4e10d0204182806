import type { StoreSuggestionsConfig, SuggestionsResponse } from '@aisle/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Ban, ChartLine, Pin } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { formatNumber } from '../../format/numbers.ts'
import { ProductLine } from '../../parts/product-card.tsx'
import { useMay } from '../../session/session.ts'
import { storePath, useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { ErrorNote, Skeleton } from '../../ui/states.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { useChangeConfig } from './config-data.ts'
import { cardFacts } from '../../parts/product-fields.ts'
import { typedParts } from './typed-parts.ts'

const SUGGESTIONS_SHOWN = 8
const CATEGORIES_SHOWN = 5
const PRODUCTS_SHOWN = 3
const RANGES = { '7d': '7 days', '30d': '30 days', '90d': '90 days' } as const
type TimeRange = keyof typeof RANGES
type Suggestion = NonNullable<SuggestionsResponse['suggestions']>[number]

/** What a visitor sees while typing; each suggestion can be pinned or blocked in place. */
export function Dropdown({ config }: { readonly config: StoreSuggestionsConfig }): ReactNode {
  const { storeId, calls } = useStore()
  const [typed, setTyped] = useUrlState('q', '', { isTyped: true })
  const [chosen, choose] = useUrlState('counts')
  const ranges = config.supported_time_ranges
  const range =
    ranges.find((one) => one === chosen) ?? (ranges.includes('30d') ? '30d' : ranges[0]!)
  const q = useDebounced(typed, 60)
  const request = {
    q,
    hitsPerPage: Math.min(SUGGESTIONS_SHOWN, config.max_suggestions),
    time_range: range,
    include_categories: true,
    max_categories: Math.min(CATEGORIES_SHOWN, config.max_categories),
    include_dropdown_product_list: true,
    include_empty_query_recommendations: true,
  }
  const { data, error } = useQuery({
    queryKey: ['suggest', storeId, request],
    queryFn: () => calls.suggest(request),
    placeholderData: keepPreviousData,
  })
  return (
    <section className="suggestions-preview stack" aria-label="Preview of the dropdown">
      <div className="row row-apart">
        <h2>As a visitor sees it</h2>
        <Segmented<TimeRange>
          label="Searches counted"
          options={ranges.map((value) => ({ value, label: RANGES[value] }))}
          value={range}
          onChange={choose}
        />
      </div>
      <div className="row">
        <SearchField
          label="Type as a visitor would"
          value={typed}
          onChange={setTyped}
          maxLength={200}
          autoFocus
        />
      </div>
      {error !== null ? (
        <ErrorNote attempt="load" error={error} />
      ) : data === undefined ? (
        <Skeleton height={260} />
      ) : (
        <Panel data={data} typed={q} config={config} />
      )}
      <p className="small muted">
        The number is the popularity: sessions + clicks + 3 × conversions. Searches count after
        about 10 s.
      </p>
    </section>
  )
}

function Panel({
  data,
  typed,
  config,
}: {
  readonly data: SuggestionsResponse
  readonly typed: string
  readonly config: StoreSuggestionsConfig
}): ReactNode {
  const { suggestions = [], categories = [], dropdown_product_list: products = [] } = data
  const isTooShort = [...typed.trim()].length < config.min_query_length && typed.trim() !== ''
  return (
    <div className="suggestions-dropdown card">
      <div className="suggestions-queries">
        <h3 className="small muted">Queries</h3>
        {suggestions.length === 0 && (
          <p className="muted suggestions-none">
            {isTooShort
              ? `Suggestions start at ${config.min_query_length} characters.`
              : typed.trim() === ''
                ? 'No queries from enough visitors yet. Brands and categories appear as you type.'
                : 'No suggestions. Pin one to fill the gap.'}
          </p>
        )}
        <ul>
          {suggestions.map((one) => (
            <Entry
              key={one.query}
              entry={one}
              typed={typed}
              config={config}
              top={suggestions[0]!.popularity}
            />
          ))}
        </ul>
        {categories.length > 0 && (
          <>
            <h3 className="small muted">Categories</h3>
            <ul>
              {categories.map(({ name, count }) => (
                <li key={name} className="suggestions-entry">
                  <span className="grow cut" title={name}>
                    {name}
                  </span>
                  <span className="small muted number">{formatNumber(count)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div className="suggestions-products">
        <h3 className="small muted">Products</h3>
        {products.length === 0 && <p className="muted suggestions-none">No product matches.</p>}
        <ul>
          {products.slice(0, PRODUCTS_SHOWN).map((card) => (
            <li key={card.id}>
              <ProductLine facts={cardFacts(card)} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

function Entry({
  entry,
  typed,
  config,
  top,
}: {
  readonly entry: Suggestion
  readonly typed: string
  readonly config: StoreSuggestionsConfig
  /** Popularity of the first one, which a pinned entry must exceed. */
  readonly top: number
}): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const [, navigate] = useLocation()
  const { mutate } = useChangeConfig()
  const { query, popularity } = entry
  const isPinned = config.pinned.some((one) => one.query === query)
  return (
    <li className="suggestions-entry">
      <span className="grow cut" title={query}>
        {typedParts(query, typed).map(({ text, isTyped }, i) => (
          <span key={i} className={isTyped ? 'muted' : 'suggestions-offered'}>
            {text}
          </span>
        ))}
      </span>
      {isPinned && <Badge kind="accent">Pinned</Badge>}
      <span className="small muted number">{formatNumber(popularity)}</span>
      <ActionMenu
        label={`Actions for ${query}`}
        actions={[
          {
            label: isPinned ? 'Unpin suggestion' : 'Pin to the top',
            icon: Pin,
            isDisabled: !mayEdit,
            onAction: () =>
              mutate({
                done: isPinned ? `“${query}” unpinned` : `“${query}” pinned`,
                change: (now) => ({
                  ...now,
                  pinned: [
                    ...now.pinned.filter((one) => one.query !== query),
                    ...(isPinned ? [] : [{ query, popularity: top + 1 }]),
                  ],
                }),
              }),
          },
          {
            label: 'Block suggestion',
            about: 'Also blocks other suggestions with these words.',
            icon: Ban,
            isDangerous: true,
            isDisabled: !mayEdit,
            onAction: () =>
              mutate({
                done: `“${query}” blocked`,
                change: (now) => ({
                  ...now,
                  pinned: now.pinned.filter((one) => one.query !== query),
                  blocklist: [...new Set([...now.blocklist, query.trim()])],
                }),
              }),
          },
          {
            label: 'View analytics',
            icon: ChartLine,
            onAction: () =>
              navigate(
                `${storePath(storeId, 'analytics')}?tab=queries&query=${encodeURIComponent(query)}`,
              ),
          },
        ]}
      />
    </li>
  )
}
