import type { GivenSettings, PutRuleRequest } from '@aisle/contract'
import type { Field } from '@aisle/engine'
import { CAMP_FAMILIES } from './families-camp.ts'
import { HOME_FAMILIES } from './families-home.ts'
import { KITCHEN_FAMILIES } from './families-kitchen.ts'
import { WEAR_FAMILIES } from './families-wear.ts'
import type { Family } from './family.ts'
import { demoImageUri } from './pictures.ts'
import { SeededRandom } from './seeded-random.ts'
import {
  BRANDS,
  CLOSINGS,
  MATERIAL_SENTENCES,
  OPENINGS,
  PALETTES,
  SHARED_TAGS,
} from './vocabulary.ts'
import type { Brand, Color } from './vocabulary.ts'

/** A product of the demo shop. Fields that a product lacks are absent. */
export interface DemoProduct {
  readonly title: string
  readonly description: string
  readonly brand: string
  /** Every level of the tree: `Outdoor`, `Outdoor > Camping`, `Outdoor > Camping > Tents`. */
  readonly categories: readonly string[]
  readonly color: string
  readonly sizes?: readonly string[]
  readonly material: string
  readonly price: number
  /** The price before a reduction. */
  readonly list_price?: number
  /** Absent if nobody has rated it. */
  readonly rating?: number
  readonly rating_count: number
  readonly in_stock: boolean
  readonly stock: number
  /** Seconds since 1970. */
  readonly created_at: number
  readonly tags: readonly string[]
  /** `TR-4410/2`: family, model and colour. */
  readonly sku: string
  readonly url: string
  /** A `data:` URI. */
  readonly image: string
}

export interface DemoDocument {
  readonly id: string
  readonly data: DemoProduct
}

export interface DemoCatalog {
  readonly schema: { readonly fields: readonly Field[] }
  readonly documents: readonly DemoDocument[]
}

/** Everything that the demo shop sells. */
export const FAMILIES = [...CAMP_FAMILIES, ...WEAR_FAMILIES, ...KITCHEN_FAMILIES, ...HOME_FAMILIES]
/** Products of each family. */
const PRODUCTS_PER_FAMILY = 40
/** Maximum number of colours of one model. */
const COLORS_PER_MODEL_MAX = 3
/** 1 June 2026; the shop has added products during the four years before. */
const NEWEST_SECONDS = 1_780_272_000
const SPAN_SECONDS = 4 * 365 * 86_400

/**
 * Generates the catalog of the demo shop: about 2,300 products for outdoors, home and garden, all
 * invented for this project. Every call returns the same catalog.
 */
export function demoCatalog(): DemoCatalog {
  return { schema: { fields: DEMO_FIELDS }, documents: FAMILIES.flatMap(productsOf) }
}

const roles = { searchable: false, facet: false, sort: false }

/**
 * A lantern that may hang in a tent has a similarity of 0.69 to a tent; every tent has 0.96 or
 * more.
 */
export const DEMO_SETTINGS: GivenSettings = {
  ranking: { min_relevance: 0.7 },
  facet_display: {
    order: ['categories', 'price', 'brand', 'color', 'sizes', 'material', 'in_stock'],
    facets: {
      sizes: { sort: 'alpha', pin: ['XS', 'S', 'M', 'L', 'XL', 'XXL'] },
      color: { sort: 'alpha', limit: 8 },
    },
  },
}

/** Shows a banner above results for rain, and redirects camping to a separate page. */
export const DEMO_RULES: Readonly<Record<string, PutRuleRequest>> = {
  'rainy-week': {
    description: 'Banner for rain',
    when: [{ query: 'rain', match: 'contains' }],
    banner: { title: 'Rainy week', text: 'Jackets, dry bags and boots that keep the water out.' },
  },
  'camping-page': {
    description: 'Separate page for camping',
    when: [{ query: 'camping', match: 'exact' }],
    redirect: '/demo/search?categories=Outdoor+%3E+Camping',
  },
}

export const DEMO_FIELDS: readonly Field[] = [
  { ...roles, name: 'title', type: 'string', searchable: true, sort: true },
  { ...roles, name: 'description', type: 'string', searchable: true },
  { ...roles, name: 'brand', type: 'string', searchable: true, facet: true, sort: true },
  { ...roles, name: 'categories', type: 'string[]', searchable: true, facet: true },
  { ...roles, name: 'color', type: 'string', searchable: true, facet: true },
  { ...roles, name: 'sizes', type: 'string[]', searchable: true, facet: true },
  { ...roles, name: 'material', type: 'string', searchable: true, facet: true },
  { ...roles, name: 'price', type: 'float', facet: true, sort: true },
  { ...roles, name: 'list_price', type: 'float', facet: true },
  { ...roles, name: 'rating', type: 'float', facet: true, sort: true },
  { ...roles, name: 'rating_count', type: 'int32', facet: true, sort: true },
  { ...roles, name: 'in_stock', type: 'bool', facet: true },
  { ...roles, name: 'stock', type: 'int32', facet: true, sort: true },
  { ...roles, name: 'created_at', type: 'int64', facet: true, sort: true },
  { ...roles, name: 'tags', type: 'string[]', searchable: true, facet: true },
  { ...roles, name: 'sku', type: 'string', searchable: true },
  { ...roles, name: 'url', type: 'string' },
  { ...roles, name: 'image', type: 'string' },
]

/** A model of the shop, before it has a colour. */
interface Model {
  readonly brand: Brand
  readonly line: string
  readonly kind: string
  readonly measure: string | undefined
  readonly material: string
  readonly price: number
  readonly description: string
  readonly number: number
}

function productsOf(family: Family, familyAt: number): DemoDocument[] {
  // Each family has its own random sequence, so that a change to one does not change the others.
  const random = new SeededRandom(7_700 + familyAt)
  const documents: DemoDocument[] = []
  const names = new Set<string>()
  let number = 1_000 + random.below(4_000)
  while (documents.length < PRODUCTS_PER_FAMILY) {
    number += 10 * (1 + random.below(12))
    const model = makeModel(family, random, number)
    const name = titleOf(family, model)
    if (names.has(name)) continue
    names.add(name)
    const colors = random.several(PALETTES[family.palette], 1 + random.below(COLORS_PER_MODEL_MAX))
    for (const [at, color] of colors.entries()) {
      if (documents.length === PRODUCTS_PER_FAMILY) break
      documents.push(
        makeProduct(family, model, color, { variant: at + 1, of: colors.length, random }),
      )
    }
  }
  return documents
}

function makeModel(family: Family, random: SeededRandom, number: number): Model {
  const brand = random.pick(BRANDS.filter(({ trade }) => trade === family.trade))
  const line = random.pick(brand.lines)
  const kindAt = random.below(family.kinds.length)
  const kind = family.kinds[kindAt] ?? ''
  const measureAt = random.below(Math.max(1, family.measures.length))
  const measure = family.measures[measureAt]
  const material = random.pick(materialsFor(kind, family.materials))
  // Better kinds and larger measures cost more; equal steps multiply the price.
  const share =
    0.65 * (kindAt / Math.max(1, family.kinds.length - 1)) +
    0.35 * (measureAt / Math.max(1, family.measures.length - 1))
  const [low, high] = family.price
  const price = low * (high / low) ** share * brand.level * (0.92 + 0.16 * random.next())

  const fill = (sentence: string): string =>
    sentence
      .replaceAll('{brand}', brand.name)
      .replaceAll('{line}', line)
      .replaceAll('{material}', material)
  const sentences = [
    random.pick(OPENINGS),
    ...random.several(family.sentences, 2 + random.below(2)),
    random.pick(MATERIAL_SENTENCES),
    ...random.several(CLOSINGS, 1),
  ]
  const description = sentences.map((sentence) => capital(fill(sentence))).join(' ')
  return { brand, line, kind, measure, material, price: shopPrice(price), description, number }
}

function makeProduct(
  family: Family,
  model: Model,
  color: Color,
  { variant, of, random }: { variant: number; of: number; random: SeededRandom },
): DemoDocument {
  const sku = `${family.prefix}-${model.number}/${variant}`
  const id = sku.toLowerCase().replace('/', '-')
  const name = titleOf(family, model)
  const title = of > 1 ? `${name}, ${color.name}` : name
  const rated = random.chance(0.88)
  const stock = random.chance(0.09) ? 0 : Math.ceil(Math.exp(random.next() * 5.5))
  const sizes = sizesOf(family, model, random)
  const reduced = random.chance(0.27)
  const listPrice = shopPrice(model.price / (0.9 - 0.4 * random.next()))
  return {
    id,
    data: {
      title,
      description: model.description,
      brand: model.brand.name,
      categories: family.path.map((_, at) => family.path.slice(0, at + 1).join(' > ')),
      color: color.name,
      ...(sizes.length === 0 ? {} : { sizes }),
      material: capital(model.material),
      price: model.price,
      ...(reduced && listPrice > model.price ? { list_price: listPrice } : {}),
      ...(rated ? { rating: Number((4.9 - 1.9 * random.next() * random.next()).toFixed(1)) } : {}),
      rating_count: rated ? Math.ceil(Math.exp(random.next() * 7)) : 0,
      in_stock: stock > 0,
      stock,
      created_at: NEWEST_SECONDS - random.below(SPAN_SECONDS),
      tags: [
        ...random.several(family.tags, 2 + random.below(2)),
        ...(random.chance(0.3) ? [random.pick(SHARED_TAGS)] : []),
      ],
      sku,
      url: `/products/${slug(name)}-${id}`,
      image: demoImageUri({
        picture: family.picture,
        color: color.hex,
        scene: model.number + variant,
      }),
    },
  }
}

/**
 * Returns the materials that the kind names (a copper pan is of copper), or all if it names none.
 */
function materialsFor(kind: string, materials: readonly string[]): readonly string[] {
  const named = kind
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length >= 4)
  const fitting = materials.filter((material) => named.some((word) => material.includes(word)))
  return fitting.length > 0 ? fitting : materials
}

function titleOf(family: Family, { brand, line, kind, measure }: Model): string {
  return `${brand.name} ${line} ${kind} ${family.noun}${measure === undefined ? '' : `, ${measure}`}`
}

/** The measure of the product; or, for clothing, the sizes that are not sold out. */
function sizesOf(family: Family, { measure }: Model, random: SeededRandom): string[] {
  if (measure !== undefined) return [measure]
  return family.sizes.filter(() => random.chance(0.85))
}

/** A price as shops write them: 7.49, 24.95, 149, 1 299. */
function shopPrice(price: number): number {
  if (price < 20) return Math.floor(price) + 0.49
  if (price < 100) return Math.round(price) - 0.05
  return Math.round(price / 10) * 10 - 1
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f'’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
