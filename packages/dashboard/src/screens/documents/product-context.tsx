import type { SearchParameters } from '@aisle/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatNumber } from '../../format/numbers.ts'
import { fieldValue } from '../../format/own-value.ts'
import { fieldExpression, quotedValue } from '../../format/quoting.ts'
import { hitsOf } from '../../parts/hits.ts'
import { ProductLine } from '../../parts/product-card.tsx'
import { productFacts } from '../../parts/product-fields.ts'
import { useSettings } from '../../parts/store-queries.ts'
import { queryLinks, storePath, useStore } from '../../session/store.ts'
import { useNow } from '../../state/clock.ts'
import { ErrorNote, SkeletonLines } from '../../ui/states.tsx'
import { useTouchingRules } from './touching-rules.ts'

const DAYS = 30
const DAY_MS = 86_400_000
/** Pairs of a query and a product that the report returns; the product is looked for among them. */
const PAIRS_MAX = 10_000
const ROWS_SHOWN = 10

/** What a product is in searches: its queries, the rules that touch it, its variants and likes. */
export function ProductContext({
  id,
  product,
  onOpen,
}: {
  readonly id: string
  readonly product: Readonly<Record<string, unknown>>
  readonly onOpen: (id: string) => void
}): ReactNode {
  return (
    <div className="stack gap-24">
      <FoundBy id={id} />
      <TouchedBy id={id} />
      <Variants id={id} product={product} onOpen={onOpen} />
      <Similar id={id} onOpen={onOpen} />
    </div>
  )
}

function FoundBy({ id }: { readonly id: string }): ReactNode {
  const { storeId, calls } = useStore()
  const nowMs = useNow()
  const { data, error } = useQuery({
    queryKey: ['report', storeId, 'judgments', DAYS],
    queryFn: () => {
      // Whole days, so that the answer is kept while products are stepped through.
      const to = Math.ceil(nowMs / DAY_MS) * DAY_MS
      const from = new Date(to - DAYS * DAY_MS).toISOString()
      return calls.report('judgments', { from, to: new Date(to).toISOString(), limit: PAIRS_MAX })
    },
    staleTime: 60_000,
  })
  const rows = (data?.rows ?? [])
    .filter((row) => row.document_id === id)
    .toSorted((a, b) => b.clicked_sessions - a.clicked_sessions)
  return (
    <Section
      title="Found by these queries"
      about={`Searches of the last ${DAYS} days that led to a click on it.`}
    >
      {error !== null && <ErrorNote attempt="load" error={error} />}
      {data === undefined && error === null && <SkeletonLines count={2} />}
      {data !== undefined && rows.length === 0 && (
        <p className="muted small">No search led to a click on this product.</p>
      )}
      {rows.length > 0 && (
        <ul className="lined">
          {rows.slice(0, ROWS_SHOWN).map((row) => (
            <li key={row.query} className="product-query">
              <Link className="cut" to={queryLinks(storeId, row.query).preview}>
                {row.query}
              </Link>
              <span className="small muted number">
                {formatNumber(row.clicked_sessions)} of {formatNumber(row.sessions)} sessions
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function TouchedBy({ id }: { readonly id: string }): ReactNode {
  const { storeId } = useStore()
  const { touches, error, uncheckedCount } = useTouchingRules(id)
  return (
    <Section title="Touched by these rules">
      {error !== null && <ErrorNote attempt="load" error={error} />}
      {touches === undefined && error === null && <SkeletonLines count={2} />}
      {touches?.length === 0 && <p className="muted small">No rule touches this product.</p>}
      {touches !== undefined && touches.length > 0 && (
        <ul className="lined">
          {touches.map(({ ruleId, how, isOff }) => (
            <li key={ruleId} className="product-query">
              <Link
                className="cut"
                to={`${storePath(storeId, 'rules')}?rule=${encodeURIComponent(ruleId)}`}
              >
                {ruleId}
              </Link>
              <span className="small muted">
                {how.join(', ')}
                {isOff ? ' (off)' : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
      {uncheckedCount > 0 && (
        <p className="muted small">{formatNumber(uncheckedCount)} rule filters were not checked.</p>
      )}
    </Section>
  )
}

function Variants({
  id,
  product,
  onOpen,
}: {
  readonly id: string
  readonly product: Readonly<Record<string, unknown>>
  readonly onOpen: (id: string) => void
}): ReactNode {
  const field = useSettings().data?.distinct?.field
  const value = field === undefined ? undefined : fieldValue(product, field)
  const text = value === undefined || value === null ? '' : textOf(value)
  if (field === undefined || text === '') return null
  const filter = `${fieldExpression(field)}:=${quotedValue(text)} && id:!=${quotedValue(id)}`
  return (
    <Section title="Variants" about={`Other products with the same ${field}.`}>
      <Found request={{ q: '*', filter_by: filter, group_by: [] }} onOpen={onOpen} none="None." />
    </Section>
  )
}

function Similar({
  id,
  onOpen,
}: {
  readonly id: string
  readonly onOpen: (id: string) => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const { data, error } = useQuery({
    queryKey: ['similar', storeId, id],
    queryFn: () => calls.recommend({ kind: 'related', ids: [id], per_page: ROWS_SHOWN / 2 }),
  })
  return (
    <Section title="Similar products" about="Shown as related products in a shop.">
      {error !== null && <ErrorNote attempt="load" error={error} />}
      {data === undefined && error === null && <SkeletonLines count={3} />}
      {data !== undefined && <Lines hits={data.hits} none="None." onOpen={onOpen} />}
    </Section>
  )
}

function Found({
  request,
  onOpen,
  none,
}: {
  readonly request: SearchParameters
  readonly onOpen: (id: string) => void
  readonly none: string
}): ReactNode {
  const { storeId, calls } = useStore()
  const search = { ...request, per_page: ROWS_SHOWN, apply_rules: false, analytics: false }
  const { data, error } = useQuery({
    queryKey: ['documents', storeId, search],
    queryFn: async () => hitsOf(await calls.search(search)),
  })
  if (error !== null) return <ErrorNote attempt="load" error={error} />
  if (data === undefined) return <SkeletonLines count={2} />
  return <Lines hits={data} none={none} onOpen={onOpen} />
}

function Lines({
  hits,
  none,
  onOpen,
}: {
  readonly hits: readonly { readonly id: string; readonly document: unknown }[]
  readonly none: string
  readonly onOpen: (id: string) => void
}): ReactNode {
  const card = useSettings().data?.product_card
  if (hits.length === 0) return <p className="muted small">{none}</p>
  return (
    <ul className="lined">
      {hits.map(({ id, document }) => (
        <li key={id}>
          <button type="button" className="product-link" onClick={() => onOpen(id)}>
            <ProductLine
              facts={productFacts(id, document as Readonly<Record<string, unknown>>, card)}
            />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Section({
  title,
  about,
  children,
}: {
  readonly title: string
  readonly about?: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className="stack gap-8" aria-label={title}>
      <h3>{title}</h3>
      {about !== undefined && <p className="small muted">{about}</p>}
      {children}
    </section>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
