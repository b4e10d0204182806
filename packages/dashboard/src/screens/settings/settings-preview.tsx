import { isObject } from '@aisle/contract/is-object'
import type { SearchResponse, StoreSettings } from '@aisle/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { hitsOf, type Hit } from '../../parts/hits.ts'
import { MoveBadge } from '../../parts/move-badge.tsx'
import { moveOf } from '../../parts/moves.ts'
import { ProductLine } from '../../parts/product-card.tsx'
import { productFacts, type ProductCardFields } from '../../parts/product-fields.ts'
import { patchOf, type SettingChanges } from '../../parts/setting-changes.ts'
import { useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'
import { useUrlState } from '../../state/url-state.ts'
import { ErrorNote, SkeletonLines } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { SearchField } from '../../ui/text-field.tsx'

const SHOWN = 6
/** How deep a product may come from and still be said to have moved. */
const DEPTH = 24

/** The first results of a query as they are, and as they would be with the unsaved settings. */
export function SettingsPreview({
  settings,
  changes,
}: {
  readonly settings: StoreSettings
  readonly changes: SettingChanges
}): ReactNode {
  const { storeId, calls } = useStore()
  const [typed, setTyped] = useUrlState('try', '', { isTyped: true })
  const patch = patchOf(changes)
  const ranking = isObject(patch['ranking']) ? patch['ranking'] : {}
  const q = useDebounced(typed).trim() || '*'
  const draft = useDebounced(JSON.stringify({ ranking }))
  const { data, error } = useQuery({
    queryKey: ['settings-preview', storeId, settings.version, draft, q],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const searches = [{ q, per_page: DEPTH, highlight: false, omit_fields: [] }]
      const { results } = await calls.compareDraft({ draft: JSON.parse(draft) as object, searches })
      return results[0]!
    },
  })
  const card = { ...settings.product_card, ...(patch['product_card'] as object | undefined) }
  const others = Object.keys(changes).filter((path) => !SHOWN_HERE.test(path)).length
  const before = data === undefined ? [] : idsOf(data.live)
  const after = data === undefined ? [] : idsOf(data.draft)
  const isChanged = Object.keys(changes).length > others
  return (
    <Section title="Preview" about={isChanged ? 'With your unsaved changes.' : 'As it is now.'}>
      <div className="row">
        <SearchField label="Query for the preview" value={typed} onChange={setTyped} />
      </div>
      {error !== null && <ErrorNote attempt="load" error={error} />}
      {data === undefined && error === null && <SkeletonLines count={6} />}
      {data !== undefined && 'error' in data.draft && (
        <p className="small settings-preview-error">{data.draft.error}</p>
      )}
      {data !== undefined && !('error' in data.draft) && (
        <div role="status" aria-label="Preview" className="stack gap-8">
          <p className="small muted number">{foundText(data.live, data.draft)}</p>
          <ol className="settings-preview">
            {hitsOf(data.draft)
              .slice(0, SHOWN)
              .map((hit, at) => (
                <li key={hit.id} className="row">
                  <span className="number small muted">{at + 1}</span>
                  <PreviewLine hit={hit} card={card} />
                  {isChanged && <MoveBadge move={moveOf(hit.id, before, after)} isPinned={false} />}
                </li>
              ))}
          </ol>
          <Gone live={data.live} after={after} card={card} />
        </div>
      )}
      {others > 0 && (
        <p className="small muted">
          {formatCount(others, 'other change')} can’t be previewed: it takes effect when you save.
        </p>
      )}
    </Section>
  )
}

/** What a draft of a search, and the card here, can show. */
const SHOWN_HERE = /^(ranking|product_card)\./

type Answer = SearchResponse | { readonly error: string }

function idsOf(answer: Answer): string[] {
  return 'error' in answer ? [] : hitsOf(answer).map(({ id }) => id)
}

function foundText(live: Answer, draft: SearchResponse): string {
  const now = formatCount(draft.found, 'product')
  if ('error' in live || live.found === draft.found) return now
  return `${now}, ${formatCount(live.found, 'product')} without your changes`
}

function PreviewLine({
  hit,
  card,
}: {
  readonly hit: Hit
  readonly card: ProductCardFields
}): ReactNode {
  return (
    <span className="grow">
      <ProductLine facts={productFacts(hit.id, hit.document, card)} />
    </span>
  )
}

/** Products of the first results that the draft does not find any more. */
function Gone({
  live,
  after,
  card,
}: {
  readonly live: Answer
  readonly after: readonly string[]
  readonly card: ProductCardFields
}): ReactNode {
  const gone =
    'error' in live
      ? []
      : hitsOf(live)
          .slice(0, SHOWN)
          .filter(({ id }) => !after.includes(id))
  if (gone.length === 0) return null
  return (
    <>
      <p className="small muted">No longer among the first {DEPTH}:</p>
      <ul className="settings-preview">
        {gone.map((hit) => (
          <li key={hit.id} className="row">
            <PreviewLine hit={hit} card={card} />
          </li>
        ))}
      </ul>
    </>
  )
}
