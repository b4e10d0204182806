import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test, { suite } from 'node:test'
import { elementType, isArrayType } from '@aisle/engine'
import { DEMO_FIELDS, demoCatalog, FAMILIES } from './demo-catalog.ts'
import { demoImage, demoImageUri, PICTURE_NAMES } from './pictures.ts'
import { BRANDS, PALETTES } from './vocabulary.ts'

const { schema, documents } = demoCatalog()
const products = documents.map(({ data }) => data)

suite('the demo catalog', () => {
  test('it is large enough to be a shop', () => {
    assert.ok(documents.length >= 2_000, `${documents.length} products`)
    assert.ok(FAMILIES.length >= 40)
    for (const { noun, palette, picture, tags } of FAMILIES) {
      assert.ok(palette in PALETTES && PICTURE_NAMES.includes(picture) && tags.length > 1, noun)
    }
    assert.equal(new Set(products.map(({ brand }) => brand)).size, BRANDS.length)
  })

  test('every call returns the same catalog', () => {
    const hash = (value: unknown): string =>
      createHash('sha256').update(JSON.stringify(value)).digest('hex')
    assert.equal(hash(demoCatalog()), hash({ schema, documents }))
  })

  test('ids and part numbers are unique', () => {
    assert.equal(new Set(documents.map(({ id }) => id)).size, documents.length)
    assert.equal(new Set(products.map(({ sku }) => sku)).size, documents.length)
    for (const { sku } of products) assert.match(sku, /^[A-Z]{2}-\d{4,5}\/[1-3]$/)
  })

  test('every document fits the schema', () => {
    const fields = new Map(schema.fields.map((field) => [field.name, field]))
    for (const { id, data } of documents) {
      for (const [name, value] of Object.entries(data) as [string, unknown][]) {
        const field = fields.get(name)
        assert.ok(field !== undefined, `${id}: ${name} is not in the schema`)
        assert.equal(Array.isArray(value), isArrayType(field.type), `${id}: ${name}`)
        for (const element of Array.isArray(value) ? (value as unknown[]) : [value]) {
          assert.ok(
            isOfType(element, elementType(field.type)),
            `${id}: ${name} is ${String(element)}`,
          )
        }
      }
    }
  })

  test('every field and every role of the schema is used', () => {
    for (const { name } of DEMO_FIELDS)
      assert.ok(
        products.some((product) => name in product),
        name,
      )
    for (const role of ['searchable', 'facet', 'sort'] as const) {
      assert.ok(DEMO_FIELDS.some((field) => field[role]))
    }
  })

  test('titles tell products apart and read like a shop’s', () => {
    const distinct = new Set(products.map(({ title }) => title)).size
    assert.ok(distinct / products.length > 0.98, `${distinct} of ${products.length}`)
    for (const { title } of products) {
      assert.ok(title.length >= 15 && title.length <= 110, title)
      assert.doesNotMatch(title, /undefined|[{}]|\s\s|\s,|^\s|\s$/)
    }
  })

  test('descriptions are whole sentences with every blank filled', () => {
    for (const { description } of products) {
      assert.ok(description.length >= 80 && description.length <= 700, description)
      assert.doesNotMatch(description, /undefined|[{}]|\s\s|\.\./)
      assert.match(description, /^[A-Z].*\.$/)
    }
    assert.ok(new Set(products.map(({ description }) => description)).size > 1_000)
  })

  test('prices are a shop’s, and reductions are reductions', () => {
    for (const { title, price, list_price } of products) {
      assert.ok(price >= 5 && price <= 1_500, `${title}: ${price}`)
      assert.equal(price, Number(price.toFixed(2)), title)
      if (list_price !== undefined) assert.ok(list_price > price, title)
    }
    const reduced = products.filter(({ list_price }) => list_price !== undefined).length
    assert.ok(reduced > products.length * 0.15 && reduced < products.length * 0.35)
  })

  test('stock, ratings and dates make sense together', () => {
    for (const product of products) {
      assert.equal(product.in_stock, product.stock > 0)
      assert.equal(product.rating === undefined, product.rating_count === 0)
      if (product.rating !== undefined) assert.ok(product.rating >= 3 && product.rating <= 4.9)
      assert.ok(product.created_at > 1_640_000_000 && product.created_at <= 1_780_272_000)
    }
    assert.ok(products.some(({ in_stock }) => !in_stock))
  })

  test('categories are paths, each level within the one before', () => {
    for (const { categories } of products) {
      assert.ok(categories.length >= 2)
      for (const [at, path] of categories.entries()) {
        assert.equal(path.split(' > ').length, at + 1)
        if (at > 0) assert.ok(path.startsWith(`${categories[at - 1]} > `))
      }
    }
    assert.ok(new Set(products.map(({ categories }) => categories.at(-1))).size >= 30)
  })

  test('a picture shows its product: a stove is not a frying pan', () => {
    const pictureOf = (noun: string) => FAMILIES.find((family) => family.noun === noun)?.picture
    for (const [one, other] of [
      ['Camping Stove', 'Frying Pan'],
      ['Cool Box', 'Sleeping Bag'],
      ['Kettle', 'Mug'],
      ['Hammock', 'Cushion'],
      ['Trekking Poles', 'Garden Fork'],
      ['Watering Can', 'Planter'],
      ['Bookshelf', 'Desk'],
      ['Scented Candle', 'Mug'],
      ['Gloves', 'Beanie'],
      ['Fire Bowl', 'Planter'],
      ['Mixing Bowls', 'Planter'],
    ] as const) {
      assert.notEqual(pictureOf(one), undefined, one)
      assert.notEqual(pictureOf(one), pictureOf(other), one)
    }
  })

  test('pictures are small SVG documents in a URI', () => {
    for (const picture of PICTURE_NAMES) {
      const svg = demoImage({ picture, color: '#5b6b3a' })
      assert.match(
        svg,
        /^<svg xmlns='http:\/\/www\.w3\.org\/2000\/svg' viewBox='0 0 120 120'>.*<\/svg>$/,
      )
      assert.doesNotMatch(svg, /fill='[CD]'|"|NaN/)
      const uri = demoImageUri({ picture, color: '#5b6b3a' })
      assert.ok(uri.length < 1_200, `${picture}: ${uri.length} bytes`)
      assert.doesNotMatch(uri, /[<>#"]/)
      assert.equal(decodeURIComponent(uri.slice(uri.indexOf(',') + 1)), svg)
    }
  })
})

function isOfType(value: unknown, type: string): boolean {
  if (type === 'string') return typeof value === 'string' && value !== '' && value.isWellFormed()
  if (type === 'bool') return typeof value === 'boolean'
  if (type === 'float') return typeof value === 'number' && Number.isFinite(value)
  return Number.isSafeInteger(value)
}
