import { categoryPage } from './facets.tsx'
import { Link } from './link.tsx'
import type { PageData } from './page-data.ts'
import { searchFor, withoutFilters, type PageState } from './page-state.ts'
import { ProductRow } from './product-row.tsx'

interface NoResultsProps {
  readonly state: PageState
  readonly data: PageData
  readonly hasFilters: boolean
}

/** Maximum of words of a long query that are offered as single searches. */
const WORDS_MAX = 4

/** Alternatives instead of a dead end: fewer filters, fewer words, categories, popular products. */
export function NoResults({ state, data, hasFilters }: NoResultsProps) {
  const words = state.q.split(/\s+/).filter((word) => word.length > 2)
  return (
    <div className="no-results">
      <h2>No results{state.q === '' ? '' : ` for “${state.q}”`}</h2>
      <ul className="ideas">
        {hasFilters && (
          <li>
            <Link to={withoutFilters(state)}>Search without the filters</Link>
          </li>
        )}
        {words.length > 1 &&
          words.slice(0, WORDS_MAX).map((word) => (
            <li key={word}>
              Only <Link to={searchFor(word)}>{word}</Link>
            </li>
          ))}
        {data.categories.slice(0, 4).map((name) => (
          <li key={name}>
            All of <Link to={categoryPage(name)}>{name}</Link>
          </li>
        ))}
      </ul>
      {data.rows.map((row) => (
        <ProductRow {...row} key={row.title} />
      ))}
    </div>
  )
}
