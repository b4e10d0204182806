import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { EMPTY_PLAN, plainSlot, seededRandom } from '@aisle/testing'
import { createAnalyzer, type FilterNode, type Schema, type SearchPlan } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import {
  crowdShare,
  leaningsOf,
  othersOf,
  type CrowdDocument,
  type TasteDocument,
} from '@aisle/suggestions'
import { conditionOf, tasteOf, type Taste } from './lifts.ts'
import type { TasteFields } from './taste-fields.ts'

const analyzer = createAnalyzer('en')
const facet = { type: 'string', searchable: false, facet: true, sort: false } as const
const SCHEMA: Schema = {
  fields: [
    { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
    { ...facet, name: 'brand' },
    { ...facet, name: 'category' },
    { name: 'price', type: 'float', searchable: false, facet: true, sort: true },
  ],
}
const FIELDS: TasteFields = {
  values: [
    { ordinal: 1, name: 'brand' },
    { ordinal: 2, name: 'category' },
  ],
  price: { ordinal: 3, name: 'price' },
  category: 1,
}
const CATEGORIES = ['tent', 'lamp', 'shoe']
const BRANDS = 12
const PER_CATEGORY = 200
const LIMIT = 0.2
/** Documents that a visitor has looked at. */
const VIEWS = 12
/** Results that a visitor looks through. */
const DEPTH = 40

interface Product {
  readonly id: string
  readonly brand: string
  readonly category: string
  readonly price: number
  /** Words in its title beside the query: the fewer, the better it fits, as the order says. */
  readonly others: number
}

/** How likely a visitor is to click a result. */
type Interest = (product: Product) => number

/** A shop whose titles match a query by different points, in no relation to brands and prices. */
class Shop {
  readonly products: Product[] = []
  readonly #index = new NaiveIndex(SCHEMA, analyzer)
  readonly #random: () => number
  readonly #orders = new Map<string, readonly Product[]>()

  constructor(random: () => number) {
    this.#random = random
    for (let i = 0; i < PER_CATEGORY * CATEGORIES.length; i++) {
      const category = CATEGORIES[i % CATEGORIES.length]!
      const brand = `brand ${Math.floor(random() * BRANDS)}`
      const price = Math.round(10 ** (1 + 2 * random()))
      const others = Math.floor(random() * 30)
      const filler = 'x '.repeat(others)
      const product = { id: String(i), brand, category, price, others }
      this.products.push(product)
      this.#index.add({
        docKey: i + 1,
        id: product.id,
        values: [`${category} ${filler}`, brand, category, price],
      })
    }
  }

  search(category: string, taste?: Taste): readonly Product[] {
    const known = taste === undefined ? this.#orders.get(category) : undefined
    if (known !== undefined) return known
    const plan: SearchPlan = {
      ...EMPTY_PLAN,
      slots: [plainSlot(category, category)],
      fieldWeights: [1, 0, 0, 0],
      lengthNorms: [0.5, 0.5, 0.5, 0.5],
      sort: [{ kind: 'textMatch', descending: true }],
      size: DEPTH,
      ...(taste === undefined ? {} : { personal: taste.personal }),
    }
    const order = this.#index.search(plan).hits.map(({ docKey }) => this.products[docKey - 1]!)
    if (taste === undefined) this.#orders.set(category, order)
    return order
  }

  #shareOf(filter: FilterNode, within: FilterNode | undefined): number {
    const countOf = (node: FilterNode | undefined): number =>
      this.#index.search({
        ...EMPTY_PLAN,
        fieldWeights: [0, 0, 0, 0],
        ...(node && { filter: node }),
      }).found
    return countOf(filter) / countOf(within)
  }

  /** Looks of a visitor at results of some searches. */
  visit(interest: Interest): readonly TasteDocument[] {
    const seen = new Map<string, TasteDocument>()
    while (seen.size < VIEWS) {
      const category = CATEGORIES[Math.floor(this.#random() * CATEGORIES.length)]!
      for (const product of this.search(category)) {
        if (seen.size === VIEWS || this.#random() >= interest(product)) continue
        const values = [[product.brand], [product.category]]
        const step = 'look'
        seen.set(product.id, { id: product.id, step, ageDays: 0, values, price: product.price })
      }
    }
    return [...seen.values()]
  }

  tasteOf(documents: readonly TasteDocument[], crowd: readonly CrowdDocument[]): Taste | undefined {
    const stemsOf = (): string[] => []
    const conditions = leaningsOf({ documents, searches: [], bandField: 1, stemsOf }).map((one) =>
      conditionOf(one, FIELDS, SCHEMA, analyzer),
    )
    const others = othersOf(crowd, documents, 1, 1)
    const shares = conditions.map(({ leaning, filter, within }) =>
      crowdShare(leaning, others, 1, this.#shareOf(filter, within)),
    )
    return tasteOf(conditions, shares, LIMIT, FIELDS, [], 0)
  }
}

/** What all visitors looked at. */
function crowdOf(visits: readonly (readonly TasteDocument[])[]): CrowdDocument[] {
  return [...Map.groupBy(visits.flat(), ({ id }) => id).values()].map((looks) => {
    return { ...looks[0]!, visitors: looks.length }
  })
}

/** NDCG of the first ten. @param gains of all results */
function ndcg(order: readonly Product[], gainOf: (product: Product) => number): number {
  const dcg = (gains: readonly number[]): number =>
    gains.slice(0, 10).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)
  const gains = order.map(gainOf)
  const ideal = dcg(gains.toSorted((a, b) => b - a))
  return ideal === 0 ? 0 : dcg(gains) / ideal
}

interface Outcome {
  readonly before: number
  readonly after: number
  /** Share of the visitors who have a taste as far as the shop knows. */
  readonly personal: number
}

/** Means over visitors and queries. */
function simulate(
  seed: number,
  visitors: number,
  makeInterest: (
    shop: Shop,
    random: () => number,
  ) => { readonly clicks: Interest; readonly gain: Interest },
): Outcome {
  const random = seededRandom(seed)
  const shop = new Shop(random)
  const sums = { before: 0, after: 0, personal: 0 }
  const all = Array.from({ length: visitors }, () => {
    const { clicks, gain } = makeInterest(shop, random)
    return { gain, seen: shop.visit(clicks) }
  })
  const crowd = crowdOf(all.map(({ seen }) => seen))
  for (const { gain, seen } of all) {
    const taste = shop.tasteOf(seen, crowd)
    if (taste !== undefined) sums.personal++
    for (const category of CATEGORIES) {
      const plain = shop.search(category)
      sums.before += ndcg(plain, gain)
      sums.after +=
        taste === undefined ? ndcg(plain, gain) : ndcg(shop.search(category, taste), gain)
    }
  }
  const count = visitors * CATEGORIES.length
  return {
    before: sums.before / count,
    after: sums.after / count,
    personal: sums.personal / visitors,
  }
}

suite('personal results in a shop with modelled visitors', () => {
  test('visitors with a taste find what they like earlier', () => {
    for (const seed of [1, 2]) {
      const outcome = simulate(seed, 40, (_, random) => {
        const brands = new Set([0, 1].map(() => `brand ${Math.floor(random() * BRANDS)}`))
        const low = 10 ** (1 + 1.5 * random())
        const likes = ({ brand, price }: Product): number =>
          (brands.has(brand) ? 2 : 0) + (price >= low && price <= 3 * low ? 1 : 0)
        return { clicks: (product) => [0.05, 0.1, 0.3, 0.4][likes(product)]!, gain: likes }
      })
      assert.ok(outcome.after > outcome.before + 0.05, JSON.stringify(outcome))
    }
  })

  test('visitors without a taste lose nothing, although the order is the best for them', () => {
    for (const seed of [4, 5]) {
      const outcome = simulate(seed, 60, () => ({
        clicks: ({ others }) => 0.5 / (1 + others / 5),
        gain: ({ others }) => 1 / (1 + others / 5),
      }))
      assert.ok(outcome.after > outcome.before - 0.002, JSON.stringify(outcome))
    }
  })
})
