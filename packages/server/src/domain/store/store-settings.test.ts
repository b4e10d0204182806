import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { productCard } from './product-card.ts'
import { mergePatch } from './store-settings.ts'

suite('a merge patch', () => {
  // RFC 7396, appendix A.
  const cases: readonly (readonly [unknown, unknown, unknown])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ]
  for (const [target, patch, expected] of cases) {
    test(`${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
      assert.deepEqual(mergePatch(target, patch), expected)
    })
  }
})

suite('a product card', () => {
  const schema = {
    fields: (
      [
        ['Product-Name', 'string'],
        ['imageUrl', 'string'],
        ['price', 'string[]'],
        ['salePrice', 'float'],
        ['categories', 'string[]'],
        ['link', 'int32'],
      ] as const
    ).map(([name, type]) => ({ name, type, searchable: false, facet: false, sort: false })),
  }

  test('uses the fields with matching names and types, in any spelling', () => {
    const { card, guessed } = productCard(schema)
    assert.deepEqual(card, {
      title: 'Product-Name',
      url: null,
      image: 'imageUrl',
      price: 'salePrice',
      currency: null,
      category: 'categories',
      brand: null,
      metadata: [],
    })
    assert.deepEqual(guessed, ['title', 'image', 'price', 'category'])
  })

  test('prefers configured fields', () => {
    const { card, guessed } = productCard(schema, { title: 'link', metadata: ['price'] })
    assert.deepEqual(
      [card.title, card.metadata, guessed.includes('title')],
      ['link', ['price'], false],
    )
  })
})
