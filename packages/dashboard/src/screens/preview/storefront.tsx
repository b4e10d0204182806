import type { SearchResponse, StoreSchema } from '@aisle/contract'
import { ListFilter, SearchX } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatCount, formatDuration, formatNumber } from '../../format/numbers.ts'
import { hitsOf, type Hit } from '../../parts/hits.ts'
import { MarkedText, ProductCard } from '../../parts/product-card.tsx'
import { productFacts, type ProductCardFields } from '../../parts/product-fields.ts'
import { Badge, Chip } from '../../ui/badge.tsx'
import { useMedia } from '../../state/media.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { appliedFilters, type Filters } from './facet-filters.ts'
import { Facets } from './facets.tsx'
import { shownFacets } from './shown-facets.ts'
import { isDate, withInterval } from './request-text.ts'
import { PageNotes } from './page-notes.tsx'
import type { PreviewState } from './preview-state.ts'
import { orderOptions } from '../../parts/order-options.ts'
import { Pager } from '../../ui/pager.tsx'

interface StorefrontProps {
  readonly state: PreviewState
  readonly answer: SearchResponse | undefined
  readonly schema: StoreSchema | undefined
  readonly card: ProductCardFields | undefined
  readonly openHit: string
  readonly onOpen: (id: string) => void
}

const SKELETON_CARDS = 8

/** The page of results, as a visitor sees it. */
export function Storefront(props: StorefrontProps): ReactNode {
  const { state, answer, schema } = props
  const filters = (state.given.filters ?? {}) as Filters
  const applied = appliedFilters(filters)
  const keepWords = (text: string): void => {
    const kept = (state.given.interpret_except ?? []) as readonly string[]
    state.set('interpret_except', [...kept, text])
  }
  const hits = answer === undefined ? undefined : hitsOf(answer)
  const isWide = useMedia('(min-width: 700px)')
  const [isSheetOpen, setSheetOpen] = useState(false)
  const dates = new Set(
    (schema?.fields ?? []).filter(({ type }) => isDate(type)).map(({ name }) => name),
  )
  const facets = answer?.facets !== undefined && (
    <Facets
      facets={shownFacets(answer.facets, answer.facet_display)}
      filters={filters}
      onChange={(next) => state.set('filters', next)}
      dates={dates}
      onInterval={(field, interval) =>
        state.set('facet_by', withInterval(state.request.facet_by, field, interval))
      }
    />
  )
  return (
    <div className="preview-store">
      {isWide ? (
        <aside className="preview-store-facets" aria-label="Filters">
          {facets}
        </aside>
      ) : (
        <SidePanel title="Filters" isOpen={isSheetOpen} onClose={() => setSheetOpen(false)}>
          {facets}
        </SidePanel>
      )}
      <div className="preview-store-main">
        <div className="row row-apart preview-store-head">
          <p className="small muted number" role="status">
            {answer === undefined ? 'Searching' : headText(answer)}
          </p>
          <div className="row">
            {!isWide && (
              <Button icon={ListFilter} onPress={() => setSheetOpen(true)}>
                Filters
              </Button>
            )}
            <OrderSelect state={state} schema={schema} />
          </div>
        </div>
        {applied.length > 0 && (
          <div className="row">
            {applied.map(({ text, without }) => (
              <Chip
                key={text}
                removeLabel={`Remove ${text}`}
                onRemove={() => state.set('filters', without())}
              >
                {text}
              </Chip>
            ))}
            <button
              type="button"
              className="preview-more text-link small"
              onClick={() => state.set('filters', undefined)}
            >
              Clear filters
            </button>
          </div>
        )}
        {answer !== undefined && (
          <PageNotes answer={answer} onSearch={state.setQ} onKeepWords={keepWords} />
        )}
        <Grid {...props} hits={hits} />
        {answer !== undefined && answer.total_pages > 1 && (
          <Pager
            page={answer.page}
            pageCount={answer.total_pages}
            onChange={(page) => state.set('page', page)}
          >
            Page {formatNumber(answer.page)} of {formatNumber(answer.total_pages)}
          </Pager>
        )}
      </div>
    </div>
  )
}

function Grid({
  hits,
  answer,
  card,
  state,
  openHit,
  onOpen,
}: StorefrontProps & { readonly hits: readonly Hit[] | undefined }): ReactNode {
  if (hits === undefined || answer === undefined) {
    return (
      <div className="preview-grid">
        {Array.from({ length: SKELETON_CARDS }, (_, i) => (
          <Skeleton key={i} height={230} />
        ))}
      </div>
    )
  }
  if (hits.length === 0) {
    return (
      <EmptyState icon={SearchX} title="No results">
        {answer.found > 0
          ? 'This page has no results.'
          : 'Try other words or fewer filters, or add a synonym. Visitors see an empty page.'}
      </EmptyState>
    )
  }
  const first = (answer.page - 1) * answer.per_page
  const { given } = state
  const isEscaped = given.highlight_escape !== false
  const marks = {
    before: markOf(given.highlight_prefix, '<mark>'),
    after: markOf(given.highlight_suffix, '</mark>'),
  }
  return (
    <div className="preview-grid">
      {hits.map((hit, i) => {
        const facts = productFacts(hit.id, hit.document, card)
        const marked = card?.title === null ? undefined : hit.highlight[card?.title ?? '']
        return (
          <ProductCard
            key={hit.id}
            facts={facts}
            title={
              typeof marked === 'string' ? (
                <MarkedText marked={marked} isEscaped={isEscaped} marks={marks} />
              ) : undefined
            }
            position={first + i + 1}
            badge={hit.isPinned ? <Badge kind="accent">Pinned</Badge> : undefined}
            isChosen={openHit === hit.id}
            onOpen={() => onOpen(hit.id)}
          />
        )
      })}
    </div>
  )
}

function headText({
  found,
  found_groups: groups,
  page,
  per_page: perPage,
  search_time_ms: ms,
  hits,
}: SearchResponse) {
  if (groups !== undefined) {
    const all = `${formatCount(found, 'product')} in ${formatCount(groups, 'group')}`
    return `${all} · ${formatDuration(ms)}`
  }
  if (hits.length === 0) return `${formatCount(found, 'product')} · ${formatDuration(ms)}`
  const first = (page - 1) * perPage + 1
  const range = `${formatNumber(first)}–${formatNumber(first + hits.length - 1)}`
  return `${range} of ${formatCount(found, 'product')} · ${formatDuration(ms)}`
}

function OrderSelect({
  state,
  schema,
}: {
  readonly state: PreviewState
  readonly schema: StoreSchema | undefined
}): ReactNode {
  const own = state.given.sort_by
  const value = typeof own === 'string' ? own : ''
  return (
    <div className="preview-order">
      <Select
        label="Order"
        isLabelHidden
        options={orderOptions(schema, value, 'Best match', 'Most popular')}
        value={value}
        onChange={(next) => state.set('sort_by', next === '' ? undefined : next)}
      />
    </div>
  )
}

function markOf(given: unknown, usual: string): string {
  return typeof given === 'string' ? given : usual
}
