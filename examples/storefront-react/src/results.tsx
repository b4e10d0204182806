import { useState } from 'react'
import { Facets } from './facets.tsx'
import { count, lastLevel, price } from './format.ts'
import { Icon } from './icons.tsx'
import { Link } from './link.tsx'
import { NoResults } from './no-results.tsx'
import type { Answer, PageData } from './page-data.ts'
import {
  searchFor,
  withoutFilters,
  withRange,
  withValues,
  withWords,
  type PageState,
} from './page-state.ts'
import { ProductCard } from './product-card.tsx'
import { SHOP } from './shop-config.ts'
import { useShop } from './shop-context.ts'
import { Why } from './why.tsx'

/** Number of cards whose pictures load eagerly. */
const FIRST_CARDS = 8

export function Results({ state, data }: { readonly state: PageState; readonly data: PageData }) {
  const { go, isExplaining } = useShop()
  const [isSheetOpen, setSheet] = useState(false)
  const { answer } = data
  if (answer === undefined) return null
  const chips = [...readChips(state, answer), ...chipsOf(state)]
  const hasFilters = chips.length > 0
  const hasFacets = answer.found > 0 || hasFilters
  return (
    <div className="results">
      <Heading state={state} answer={answer} />
      <Banner answer={answer} />
      <div className="toolbar">
        {hasFacets && (
          <button
            type="button"
            className="filter-button"
            aria-expanded={isSheetOpen}
            aria-controls="facets"
            onClick={() => setSheet(!isSheetOpen)}
          >
            <Icon name="filter" /> Filters
          </button>
        )}
        <Chips state={state} answer={answer} chips={chips} />
        {answer.found > 0 && (
          <span className="toolbar-end">
            <label>
              <span className="unseen">Order</span>
              <select
                value={state.sort}
                onChange={(event) =>
                  go({ ...state, sort: Number(event.target.value), pageNumber: 1 })
                }
              >
                {SHOP.sorts.map(({ label }, i) => (
                  <option value={i} key={label}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <button
              type="button"
              className="layout-button"
              aria-label={state.layout === 'grid' ? 'Show as a list' : 'Show as a grid'}
              onClick={() => go({ ...state, layout: state.layout === 'grid' ? 'list' : 'grid' })}
            >
              <Icon name={state.layout === 'grid' ? 'list' : 'grid'} />
            </button>
          </span>
        )}
      </div>
      <div className={hasFacets ? 'columns' : ''}>
        {hasFacets && (
          <div
            className={isSheetOpen ? 'facets facets-open' : 'facets'}
            id="facets"
            onKeyDown={({ key }) => key === 'Escape' && setSheet(false)}
          >
            <div className="facets-head">
              <h2>Filters</h2>
              <button type="button" aria-label="Close filters" onClick={() => setSheet(false)}>
                <Icon name="close" />
              </button>
            </div>
            <Facets state={state} answer={answer} />
            <div className="facets-done">
              <button type="button" className="primary" onClick={() => setSheet(false)}>
                Show {count(answer.found)} {answer.found === 1 ? 'product' : 'products'}
              </button>
            </div>
          </div>
        )}
        <div className="found">
          {answer.found === 0 ? (
            <NoResults state={state} data={data} />
          ) : (
            <ul className={state.layout === 'grid' ? 'grid' : 'grid grid-list'}>
              {answer.hits.map((hit, i) => (
                <li key={hit.id}>
                  <ProductCard product={{ ...hit.document, id: hit.id }} isFirst={i < FIRST_CARDS}>
                    {isExplaining && <Why hit={hit} />}
                  </ProductCard>
                </li>
              ))}
            </ul>
          )}
          <Pages state={state} answer={answer} />
        </div>
      </div>
    </div>
  )
}

function Heading({ state, answer }: { readonly state: PageState; readonly answer: Answer }) {
  const { category = '' } = SHOP.fields
  const [chosen] = state.values[category] ?? []
  const name = chosen === undefined ? 'All products' : lastLevel(chosen)
  const corrected = answer.corrected_query
  const isRead = answer.interpretation?.applied === true
  const meant = answer.did_you_mean
  return (
    <div className="heading">
      <h1>
        {answer.found === 0 && 'No results for '}
        {state.q === '' ? name : `“${isRead ? state.q : (corrected ?? state.q)}”`}
      </h1>
      <p role="status">
        {answer.found > 0 &&
          `${count(answer.found)} ${answer.found === 1 ? 'product' : 'products'}`}
        {state.q !== '' && chosen !== undefined && ` in ${name}`}
      </p>
      {corrected !== undefined && !isRead && <p>No exact match for “{state.q}”.</p>}
      {meant !== undefined && !isRead && (
        <p>
          Did you mean <Link to={searchFor(meant)}>{meant}</Link>?
        </p>
      )}
    </div>
  )
}

/** Data of a rule for the page: a text, or `{title, text, url}`. */
function Banner({ answer }: { readonly answer: Answer }) {
  const banner = answer.metadata?.banner
  if (typeof banner === 'string') return <p className="banner">{banner}</p>
  if (typeof banner !== 'object' || banner === null) return null
  const { title, text } = banner as { title?: unknown; text?: unknown }
  return (
    <p className="banner">
      {typeof title === 'string' && <b>{title}</b>} {typeof text === 'string' && text}
    </p>
  )
}

interface Chip {
  readonly label: string
  readonly without: PageState
}

function chipsOf(state: PageState): Chip[] {
  return SHOP.facets.flatMap(({ field, kind, label }): Chip[] => {
    if (kind === 'range') {
      const range = state.ranges[field]
      if (range === undefined) return []
      const [low, high] = range
      const from = low === undefined ? '' : `from ${price(low)}`
      const to = high === undefined ? '' : `up to ${price(high)}`
      return [{ label: `${from} ${to}`.trim(), without: withRange(state, field, undefined) }]
    }
    const chosen = state.values[field] ?? []
    return chosen.map((value) => {
      const others = chosen.filter((one) => one !== value)
      const name = kind === 'flag' ? label : kind === 'tree' ? lastLevel(value) : value
      return { label: name, without: withValues(state, field, others) }
    })
  })
}

/** Filters that the service has read in the query. */
function readChips(state: PageState, { interpretation }: Answer): Chip[] {
  if (interpretation?.applied !== true) return []
  return interpretation.filters.map(({ text, ...filter }) => ({
    label: readLabel(filter),
    without: withWords(state, text),
  }))
}

type Read = Omit<NonNullable<Answer['interpretation']>['filters'][number], 'text'>

function readLabel({ kind, operator, values }: Read): string {
  const [first, second] = values
  if (kind === 'value') {
    const [name, ...others] = [...new Set(values.map((value) => lastLevel(String(value))))]
    return others.length === 0 ? name! : `${name} and ${others.length} more`
  }
  const low = price(Number(first))
  if (operator === 'between') return `${low} to ${price(Number(second))}`
  return `${operator.startsWith('<') ? 'under' : 'over'} ${low}`
}

function Chips({
  state,
  answer,
  chips,
}: {
  readonly state: PageState
  readonly answer: Answer
  readonly chips: readonly Chip[]
}) {
  if (chips.length === 0) return null
  const texts = (answer.interpretation?.filters ?? []).map(({ text }) => text)
  return (
    <ul className="chips" aria-label="Chosen filters">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <Link className="chip" to={without} aria-label={`Remove filter ${label}`}>
            {label}
            <Icon name="close" />
          </Link>
        </li>
      ))}
      <li>
        <Link className="quiet" to={texts.reduce(withWords, withoutFilters(state))}>
          Remove all
        </Link>
      </li>
    </ul>
  )
}

/** Pages that can be linked to. */
const PAGES_MAX = 40

function Pages({ state, answer }: { readonly state: PageState; readonly answer: Answer }) {
  const last = Math.min(PAGES_MAX, answer.total_pages)
  if (last < 2) return null
  const { pageNumber } = state
  const near = [1, pageNumber - 1, pageNumber, pageNumber + 1, last]
  const shown = [...new Set(near)].filter((one) => one >= 1 && one <= last)
  return (
    <nav className="pages" aria-label="Pages">
      {shown.map((one, i) => (
        <span key={one}>
          {i > 0 && one - shown[i - 1]! > 1 && <span className="pages-gap">…</span>}
          <Link
            to={{ ...state, pageNumber: one }}
            aria-label={`Page ${one}`}
            aria-current={one === pageNumber ? 'page' : undefined}
          >
            {one}
          </Link>
        </span>
      ))}
    </nav>
  )
}
