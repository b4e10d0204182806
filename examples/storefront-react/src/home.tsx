import { categoryPage } from './facets.tsx'
import { Link } from './link.tsx'
import type { PageData } from './page-data.ts'
import { searchFor } from './page-state.ts'
import { ProductRow } from './product-row.tsx'
import { SHOP } from './shop-config.ts'

export function Home({ rows, categories }: PageData) {
  return (
    <>
      <section className="hero">
        <h1>{SHOP.slogan}</h1>
        <ul className="hero-links">
          {categories.map((name) => (
            <li key={name}>
              <Link className="hero-link" to={categoryPage(name)}>
                {name}
              </Link>
            </li>
          ))}
          <li>
            <Link className="hero-link" to={searchFor('')}>
              Everything
            </Link>
          </li>
        </ul>
      </section>
      {rows.map((row) => (
        <ProductRow {...row} key={row.title} />
      ))}
    </>
  )
}
