import { arrangedValues } from '@aisle/client/search'
import { useState } from 'react'
import { count, lastLevel } from './format.ts'
import { Link } from './link.tsx'
import type { Answer } from './page-data.ts'
import { searchFor, withValues, type PageState } from './page-state.ts'
import { PriceRange } from './price-range.tsx'
import { SHOP, type FacetConfig } from './shop-config.ts'
import { useShop } from './shop-context.ts'

interface FacetProps {
  readonly facet: FacetConfig
  readonly state: PageState
  /** In the order of the store's `facet_display`. */
  readonly counts: readonly { readonly value: string; readonly count: number }[]
  /** Values shown before the rest is asked for. */
  readonly limit: number | undefined
}

const SHORT_LIST = 7
const LONG_TREE = 10

/** The filters beside the results. Selected values stay in the list, whatever the results. */
export function Facets({ state, answer }: { readonly state: PageState; readonly answer: Answer }) {
  return shownFacets(answer).map((facet) => {
    const found = answer.facet_counts?.find(({ field }) => field === facet.field)?.counts ?? []
    const { limit, ...display } = answer.facet_display?.facets[facet.field] ?? {}
    const counts = arrangedValues(found, display)
    const chosen = state.values[facet.field] ?? []
    const missing = chosen.filter((value) => !counts.some((one) => one.value === value))
    const all = [...counts, ...missing.map((value) => ({ value, count: 0 }))]
    if (all.every((one) => one.count === 0) && chosen.length === 0) return null
    const props = { facet, state, counts: all, limit }
    return (
      <fieldset className="facet" key={facet.field}>
        <legend>{facet.label}</legend>
        {facet.kind === 'tree' && <Tree {...props} />}
        {facet.kind === 'values' && <Values {...props} />}
        {facet.kind === 'flag' && <Flag {...props} />}
        {facet.kind === 'range' && (
          <PriceRange {...props} key={String(state.ranges[facet.field])} />
        )}
      </fieldset>
    )
  })
}

/** The facets that the page knows, in the order that the store has for them. */
function shownFacets({ facet_display: display }: Answer): readonly FacetConfig[] {
  if (display === undefined) return SHOP.facets
  return display.order.flatMap((field) => SHOP.facets.find((one) => one.field === field) ?? [])
}

function Values({ facet, state, counts, limit = SHORT_LIST }: FacetProps) {
  const { go } = useShop()
  const [isLong, setLong] = useState(false)
  const chosen = state.values[facet.field] ?? []
  const shown = isLong ? counts : counts.slice(0, limit)
  const late = counts.filter((one) => chosen.includes(one.value) && !shown.includes(one))
  const toggle = (value: string): void => {
    const others = chosen.filter((one) => one !== value)
    go(withValues(state, facet.field, others.length < chosen.length ? others : [...chosen, value]))
  }
  return (
    <>
      {[...shown, ...late].map((one) => (
        <label className="facet-value" key={one.value}>
          <input
            type="checkbox"
            checked={chosen.includes(one.value)}
            onChange={() => toggle(one.value)}
          />
          <span className="facet-name">{one.value}</span>
          <span className="facet-count">{count(one.count)}</span>
        </label>
      ))}
      {counts.length > limit && (
        <button type="button" className="quiet" onClick={() => setLong(!isLong)}>
          {isLong ? 'Show fewer' : `Show all ${counts.length}`}
        </button>
      )}
    </>
  )
}

/** One level of the tree: the path to the selected category, and its children. */
function Tree({ facet, state, counts }: FacetProps) {
  const [isLong, setLong] = useState(false)
  const chosen = state.values[facet.field]?.[0]
  const { levelSeparator: separator } = SHOP
  const parts = chosen === undefined ? [] : chosen.split(separator)
  const way = parts.map((_, i) => parts.slice(0, i + 1).join(separator))
  const within = (parent: string | undefined) =>
    counts.filter(({ value }) =>
      parent === undefined
        ? !value.includes(separator)
        : value.startsWith(parent + separator) &&
          !value.slice(parent.length + separator.length).includes(separator),
    )
  let below = within(chosen)
  // A category without children shows its siblings.
  const isEnd = chosen !== undefined && below.length === 0
  if (isEnd) below = within(way.at(-2))
  const above = isEnd ? way.slice(0, -1) : way
  const shown = isLong ? below : below.slice(0, LONG_TREE)
  return (
    <ul className="tree">
      {chosen !== undefined && (
        <li>
          <Link to={withValues(state, facet.field, [])}>All categories</Link>
        </li>
      )}
      {above.map((value) => (
        <li key={value}>
          <Link
            to={withValues(state, facet.field, [value])}
            aria-current={value === chosen ? 'true' : undefined}
          >
            {lastLevel(value)}
          </Link>
        </li>
      ))}
      {shown.map((one) => (
        <li className="tree-below" key={one.value}>
          <Link
            to={withValues(state, facet.field, [one.value])}
            aria-current={one.value === chosen ? 'true' : undefined}
          >
            <span className="facet-name">{lastLevel(one.value)}</span>
            <span className="facet-count">{count(one.count)}</span>
          </Link>
        </li>
      ))}
      {below.length > LONG_TREE && (
        <li>
          <button type="button" className="quiet" onClick={() => setLong(!isLong)}>
            {isLong ? 'Show fewer' : `Show all ${below.length}`}
          </button>
        </li>
      )}
    </ul>
  )
}

function Flag({ facet, state, counts }: FacetProps) {
  const { go } = useShop()
  const isOn = (state.values[facet.field]?.length ?? 0) > 0
  return (
    <label className="facet-value">
      <input
        type="checkbox"
        checked={isOn}
        onChange={() => go(withValues(state, facet.field, isOn ? [] : ['true']))}
      />
      <span className="facet-name">{facet.label} only</span>
      <span className="facet-count">
        {count(counts.find(({ value }) => value === 'true')?.count ?? 0)}
      </span>
    </label>
  )
}

/** A category as a separate page. */
export function categoryPage(path: string): PageState {
  const { category = '' } = SHOP.fields
  return searchFor('', { values: { [category]: [path] } })
}
