import type { Row } from './page-data.ts'
import { ProductCard } from './product-card.tsx'
import { useShop } from './shop-context.ts'

const REASONS: Readonly<Record<string, string>> = {
  viewed_together: 'Viewed in the same session.',
  bought_together: 'Bought together.',
  trending: 'Clicked more this week than before.',
  popular: 'Clicked and bought often.',
  recently_viewed: 'You viewed this.',
  similar: 'Similar text: few visitors so far.',
  new: 'New: few visitors so far.',
}

/** A fallback row must not claim that visitors made it. */
const HONEST_TITLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Trending now': { new: 'New in the shop' },
  'Popular now': { new: 'New in the shop' },
  'For you': { new: 'Also new' },
  'Often bought together': { similar: 'Goes well with this' },
}

/** Products under a heading; nothing if there are none. */
export function ProductRow({ title, hits }: Row) {
  const { isExplaining } = useShop()
  if (hits.length === 0) return null
  const [first] = hits
  const isOne = hits.every(({ source }) => source === first!.source)
  return (
    <section className="row">
      <h2>{(isOne ? HONEST_TITLES[title]?.[first!.source] : undefined) ?? title}</h2>
      <ul className="row-cards">
        {hits.map(({ id, document, source }) => (
          <li key={id}>
            <ProductCard product={{ ...document, id }}>
              {isExplaining && <p className="why">{REASONS[source]}</p>}
            </ProductCard>
          </li>
        ))}
      </ul>
    </section>
  )
}
