import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { hitsOf } from '../../parts/hits.ts'
import { ProductLine } from '../../parts/product-card.tsx'
import { productFacts } from '../../parts/product-fields.ts'
import { useSettings } from '../../parts/store-queries.ts'
import { useStore } from '../../session/store.ts'
import { ErrorNote, SkeletonLines } from '../../ui/states.tsx'
import { useProducts } from '../../parts/product-titles.tsx'
import { useReport } from './report-data.ts'

const RESULTS_SHOWN = 10
const DOCUMENTS_MAX = 100

/**
 * What the query finds now beside what its visitors clicked and bought: a difference shows what is
 * wrong.
 */
export function QueryProducts({ query }: { readonly query: string }): ReactNode {
  const { storeId, calls } = useStore()
  const settings = useSettings()
  const report = useReport('top-documents', { query, limit: DOCUMENTS_MAX }, { isCompared: false })
  const request = { q: query === '*' ? '' : query, per_page: RESULTS_SHOWN, analytics: false }
  const found = useQuery({
    queryKey: ['search', storeId, request],
    queryFn: () => calls.search(request),
  })
  const error = report.error ?? found.error
  const rows = report.data?.rows ?? []
  const ofDocument = new Map(rows.map((row) => [row.document_id, row]))
  const hits = found.data === undefined ? [] : hitsOf(found.data)
  const isHit = new Set(hits.map(({ id }) => id))
  const elsewhere = rows.filter((row) => !isHit.has(row.document_id) && row.clicks > 0)
  const products = useProducts(elsewhere.slice(0, RESULTS_SHOWN).map((row) => row.document_id))
  if (error !== null) return <ErrorNote attempt="load" error={error} />
  if (found.data === undefined || report.data === undefined) return <SkeletonLines count={6} />
  return (
    <>
      <section className="stack" aria-labelledby="query-results">
        <h3 id="query-results">
          What it finds now{' '}
          <span className="small muted number">{formatNumber(found.data.found)} products</span>
        </h3>
        {hits.length === 0 && <p className="muted">None. A synonym or a rule can change that.</p>}
        <ol className="analytics-products lined">
          {hits.map((hit, i) => (
            <li key={hit.id}>
              <span className="small muted number">{i + 1}</span>
              <ProductLine
                facts={productFacts(hit.id, hit.document, settings.data?.product_card)}
              />
              <Acts row={ofDocument.get(hit.id)} />
            </li>
          ))}
        </ol>
      </section>
      {elsewhere.length > 0 && (
        <section className="stack" aria-labelledby="query-clicks">
          <h3 id="query-clicks">Clicked further down, or no longer found</h3>
          <ul className="analytics-products lined">
            {elsewhere.slice(0, RESULTS_SHOWN).map((row) => (
              <li key={row.document_id}>
                <span />
                <ProductLine facts={products.get(row.document_id) ?? { title: row.document_id }} />
                <Acts row={row} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Acts({
  row,
}: {
  readonly row: { readonly clicks: number; readonly conversions: number } | undefined
}): ReactNode {
  const clicks = row?.clicks ?? 0
  const sold = row?.conversions ?? 0
  return (
    <span className="small number analytics-acts">
      <span className={clicks === 0 ? 'muted' : 'strong'}>
        {clicks === 0
          ? 'no clicks'
          : `${formatNumber(clicks)} ${clicks === 1 ? 'click' : 'clicks'}`}
      </span>
      {sold > 0 && <span className="muted">{formatNumber(sold)} sold</span>}
    </span>
  )
}
