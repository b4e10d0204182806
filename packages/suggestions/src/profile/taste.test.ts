import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import fc from 'fast-check'
import { naiveAffinity, naiveBand, naiveCrowdShare } from '../naive/naive-taste.ts'
import {
  affinityOf,
  crowdShare,
  leaningsOf,
  othersOf,
  type TasteDocument,
  type TasteInput,
} from './taste.ts'

const BRANDS = ['Acme', 'Bolt', 'Big Acme']
const CATEGORIES = ['Tents', 'Lamps']
const stemsOf = (value: string): string[] => value.toLowerCase().split(' ')

function looked(id: string, brand: string, price = 10): TasteDocument {
  return { id, step: 'look', ageDays: 0, values: [[brand], ['Tents']], price }
}

function input(documents: readonly TasteDocument[]): TasteInput {
  return { documents, searches: [], bandField: 1, stemsOf }
}

/** Affinities of brands. @param share of the catalog */
function brands(documents: readonly TasteDocument[], share: number): [string, number][] {
  return leaningsOf(input(documents))
    .filter(({ field, band }) => field === 0 && band === undefined)
    .map((leaning): [string, number] => [leaning.value!, affinityOf(leaning, share)])
}

suite('the taste of a visitor', () => {
  test('needs three documents, and two with the value', () => {
    assert.deepEqual(brands([looked('1', 'Acme'), looked('2', 'Acme')], 0), [])
    const three = [looked('1', 'Acme'), looked('2', 'Acme'), looked('3', 'Bolt')]
    assert.deepEqual(
      brands(three, 0).map(([value]) => value),
      ['Acme'],
    )
  })

  test('is what exceeds the share of the catalog', () => {
    const three = [looked('1', 'Acme'), looked('2', 'Acme'), looked('3', 'Bolt')]
    const [rare, common] = [0.05, 0.5].map((share) => brands(three, share)[0]![1])
    assert.ok(rare! > 0.1, `${rare}`)
    assert.equal(common, 0)
  })

  test('grows with evidence', () => {
    const few = Array.from({ length: 3 }, (_, i) => looked(`${i}`, 'Acme'))
    const many = Array.from({ length: 12 }, (_, i) => looked(`${i}`, 'Acme'))
    const bought = few.map((one) => ({ ...one, step: 'order' as const }))
    const old = few.map((one) => ({ ...one, ageDays: 60 }))
    const [a, b, c, d] = [old, few, bought, many].map((documents) => brands(documents, 0.1)[0]![1])
    assert.ok(a! < b! && b! < c! && c! < d! && d! < 1, [a, b, c, d].join())
  })

  test('has the prices of a category if most of its products are in the band', () => {
    const three = [looked('1', 'Acme', 40), looked('2', 'Bolt', 45), looked('3', 'Cold', 50)]
    const bands = leaningsOf(input(three)).filter(({ band }) => band !== undefined)
    assert.deepEqual(
      bands.map(({ value, band }) => ({ value, band })),
      [{ value: 'Tents', band: { low: 25.1, high: 79.4 } }],
    )
    const far = [looked('1', 'Acme', 4), looked('2', 'Bolt', 45), looked('3', 'Cold', 500)]
    assert.deepEqual(
      leaningsOf(input(far)).filter(({ band }) => band !== undefined),
      [],
    )
  })

  test('is what exceeds what other visitors look at', () => {
    const look = fc.record({
      id: fc.constantFrom('1', '2', '3', '4'),
      visitors: fc.integer({ min: 1, max: 3 }),
      isOwn: fc.boolean(),
    })
    const arbitrary = fc.record({
      seen: fc.uniqueArray(look, { selector: ({ id }) => id }),
      share: fc.constantFrom(0, 0.1, 1),
    })
    fc.assert(
      fc.property(arbitrary, ({ seen, share }) => {
        const valuesOf = (id: string) => [[id < '3' ? 'Acme' : 'Bolt'], id < '2' ? [] : [`${id}`]]
        const crowd = seen.map(({ id, visitors }) => {
          return { id, visitors, values: valuesOf(id), price: undefined }
        })
        const own = seen
          .filter(({ isOwn }) => isOwn)
          .map(({ id }) => ({ ...looked(id, ''), values: valuesOf(id) }))
        fc.pre(own.length > 0)
        const looks = seen.flatMap(({ id, visitors, isOwn }) =>
          Array.from({ length: visitors - (isOwn ? 1 : 0) }, () => ({ id, values: valuesOf(id) })),
        )
        const others = othersOf(crowd, own, 1, 1)
        const given = crowdShare({ field: 0, value: 'Acme' }, others, 1, share)
        const wanted = naiveCrowdShare(looks, own, 0, 'Acme', 1, share)
        assert.ok(Math.abs(given - wanted) < 1e-12, `${given}, ${wanted}`)
      }),
    )
  })

  test('agrees with the naive model', () => {
    const document = fc.record({
      step: fc.constantFrom('look', 'cart', 'order'),
      ageDays: fc.integer({ min: 0, max: 100 }),
      values: fc.tuple(
        fc.uniqueArray(fc.constantFrom(...BRANDS), { maxLength: 2 }),
        fc.uniqueArray(fc.constantFrom(...CATEGORIES), { maxLength: 2 }),
      ),
      price: fc.option(fc.constantFrom(0, 1, 9.99, 15, 20, 29, 150, 1_500), { nil: undefined }),
    })
    const search = fc.record({
      stems: fc
        .constantFrom(['acme', 'tent'], ['big', 'acme'], ['lamps'])
        .map((one) => new Set(one)),
      ageDays: fc.integer({ min: 0, max: 100 }),
    })
    const arbitrary = fc.record({
      documents: fc.array(document, { maxLength: 12 }),
      searches: fc.array(search, { maxLength: 3 }),
      share: fc.constantFrom(0, 0.05, 0.3, 1),
    })
    fc.assert(
      fc.property(arbitrary, ({ documents: some, searches, share }) => {
        const documents = some.map((one, i) => ({ id: `${i}`, ...one }))
        const leanings = leaningsOf({ documents, searches, bandField: 1, stemsOf })
        for (const [field, values] of [BRANDS, CATEGORIES].entries()) {
          for (const value of values) {
            const own = leanings.find(
              (one) => one.field === field && one.value === value && one.band === undefined,
            )
            const given = own === undefined ? 0 : affinityOf(own, share)
            const stems = stemsOf(value)
            const wanted = naiveAffinity(documents, searches, field, value, stems, share)
            assert.ok(Math.abs(given - wanted) < 1e-9, `${value}: ${given}, ${wanted}`)
          }
        }
        for (const value of CATEGORIES) {
          const own = leanings.find((one) => one.value === value && one.band !== undefined)
          const wanted = naiveBand(documents, 1, value, () => share)
          if (own === undefined) {
            assert.ok((wanted?.affinity ?? 0) === 0, `${value}: none, ${wanted?.affinity}`)
            continue
          }
          assert.deepEqual(own.band, { low: wanted!.low, high: wanted!.high })
          assert.ok(Math.abs(affinityOf(own, share) - wanted!.affinity) < 1e-9)
        }
      }),
    )
  })
})
