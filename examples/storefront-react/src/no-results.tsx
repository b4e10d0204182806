import { categoryPage } from './facets.tsx'
import { count } from './format.ts'
import { Link } from './link.tsx'
import type { PageData } from './page-data.ts'
import type { PageState } from './page-state.ts'
import { ProductRow } from './product-row.tsx'

interface NoResultsProps {
  readonly state: PageState
  readonly data: PageData
}

/** Alternatives instead of a dead end: each link finds something. */
export function NoResults({ state, data }: NoResultsProps) {
  const { alternatives = [], categories, rows } = data
  return (
    <div className="no-results">
      {alternatives.length === 0 && <p>Check the spelling, or try a more general word.</p>}
      <ul className="ideas">
        {alternatives.map((other) => (
          <li key={other.state.q}>
            <Link to={other.state}>
              {other.state.q === state.q ? 'Search without the filters' : `“${other.state.q}”`}
            </Link>{' '}
            <span className="facet-count">{count(other.found)}</span>
          </li>
        ))}
        {categories.slice(0, 4).map((name) => (
          <li key={name}>
            Browse <Link to={categoryPage(name)}>{name}</Link>
          </li>
        ))}
      </ul>
      {rows.map((row) => (
        <ProductRow {...row} key={row.title} />
      ))}
    </div>
  )
}
