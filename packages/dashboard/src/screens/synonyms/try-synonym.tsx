import type { SynonymItem } from '@aisle/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { hitsOf } from '../../parts/hits.ts'
import type { QuerySet } from '../../parts/query-sets.ts'
import { useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'
import { ErrorNote } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useProducts } from '../../parts/product-titles.tsx'
import { itemWords } from './synonym-items.ts'

const SHOWN = 5

/** A search as it is, and as it would be with a set that is not saved yet. */
export function TrySynonym({
  set,
  item,
}: {
  /** The set with the item in it. */
  readonly set: QuerySet<SynonymItem>
  readonly item: SynonymItem
}): ReactNode {
  const { storeId, calls } = useStore()
  const [typed, setTyped] = useState<string>()
  const q = useDebounced(typed ?? itemWords(item)[0] ?? '').trim()
  const items = useDebounced(JSON.stringify(set.entries))
  const { data, error } = useQuery({
    queryKey: ['try-synonym', storeId, set.name, items, q],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { results } = await calls.compareDraft({
        draft: {
          // As the default: a set that no search uses would change nothing.
          synonym_sets: {
            [set.name]: { items: JSON.parse(items) as SynonymItem[], default: true },
          },
        },
        searches: [{ q, per_page: SHOWN, return_fields: ['id'], highlight: false }],
      })
      return results[0]!
    },
  })
  const ids =
    data === undefined || 'error' in data.draft ? [] : hitsOf(data.draft).map(({ id }) => id)
  const products = useProducts(ids)
  return (
    <Section title="Try it" isPlain>
      <TextField
        label="Query"
        value={typed ?? itemWords(item)[0] ?? ''}
        onChange={setTyped}
        maxLength={1_000}
      />
      {error !== null && <ErrorNote attempt="load" error={error} />}
      {q !== '' && data !== undefined && (
        <div role="status">
          <p>
            Now <span className="strong number">{foundText(data.live)}</span>, with this synonym{' '}
            <span className="strong number">{foundText(data.draft)}</span>
          </p>
          <ol className="synonyms-tried small">
            {ids.map((id) => (
              <li key={id}>{products.get(id)?.title ?? id}</li>
            ))}
          </ol>
        </div>
      )}
    </Section>
  )
}

function foundText(answer: { readonly found: number } | { readonly error: string }): string {
  return 'found' in answer ? formatCount(answer.found, 'product') : '–'
}
