import type { Row } from './page-data.ts'
import { ProductCard } from './product-card.tsx'
import { useShop } from './shop-context.ts'

const REASONS: Readonly<Record<string, string>> = {
  viewed_together: 'Visitors look at it in the same session.',
  bought_together: 'Visitors buy both.',
  trending: 'Clicked more this week than before.',
  popular: 'Clicked and bought often.',
  recently_viewed: 'You opened it.',
  similar: 'Its words are alike: few visitors so far.',
  new: 'It is new: few visitors so far.',
}

/** A row that visitors have not made yet does not say that they did. */
const HONEST_TITLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Trending now': { new: 'New in the shop' },
  'What others like now': { new: 'New in the shop' },
  'For you': { new: 'Also new' },
  'Often bought together': { similar: 'Goes with it' },
}

/** Products under a heading; nothing when there are none. */
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
