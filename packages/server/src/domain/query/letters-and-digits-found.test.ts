import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer, TextMarker, type Schema } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import { matchWords } from '../plan/match-words.ts'
import { planSearch, type PlanRequest } from '../plan/plan-search.ts'

const schema: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}
const analyzer = createAnalyzer('en')
const MARKS = { before: '[', after: ']', escape: false }

function search(titles: readonly string[], q: string, request: Partial<PlanRequest> = {}) {
  const index = new NaiveIndex(schema, analyzer)
  titles.forEach((title, i) => {
    index.add({ docKey: i + 1, id: String(i), values: [title] })
  })
  const { plan, words } = planSearch({ q, ...request }, { schema, analyzer, nowMs: 0 })
  const { found, hits, expansions } = index.search(plan)
  const marker = new TextMarker(analyzer, matchWords(words, expansions, analyzer))
  return {
    found,
    titles: hits.map(({ docKey }) => titles[docKey - 1]!),
    marked: hits.map(({ docKey }) => marker.mark(titles[docKey - 1]!, MARKS) ?? ''),
  }
}

/** Two ways to write the same, as they occur in catalogs; either finds both, with all its words. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['iphone15', 'iPhone 15'],
  ['iphone4', 'iPhone 4'],
  ['RTX4090', 'rtx 4090'],
  ['S23', 's 23'],
  ['size42', 'Size 42'],
  ['ps5', 'PS 5'],
  ['cat6', 'CAT 6'],
  ['cat5e', 'Cat 5e'],
  ['iq500', 'IQ 500'],
  ['LGA1151', 'LGA 1151'],
  ['lga775', 'LGA-775'],
  ['uv400', 'UV 400'],
  ['m18', 'M 18'],
  ['L2', 'L 2'],
  ['x42', 'x 42'],
  ['hdr1000', 'HDR 1000'],
  ['nord2', 'Nord 2'],
  ['reno8', 'Reno 8'],
  ['step2', 'Step 2'],
  ['note10', 'Note 10'],
  ['class10', 'Class 10'],
  ['mp3', 'MP 3'],
  ['ipx5', 'IPX 5'],
  ['co2', 'CO 2'],
  ['i7', 'i 7'],
  ['a4', 'A 4'],
  ['ac3', 'AC-3'],
  ['iphone15pro', 'iPhone 15 Pro'],
  ['DCD18V', 'DCD 18 V'],
  ['16gb', '16 GB'],
  ['18v', '18 volt'],
  ['4k', '4 K'],
  ['5g', '5 G'],
  ['v5.0', 'V 5.0'],
  ['usb3.0', 'USB 3.0'],
  ['Bluetooth5.2', 'bluetooth 5.2'],
  ['f2.8', 'F 2.8'],
  ['M8x40', 'm8 x 40'],
  ['M3x10mm', 'M3 x 10 mm'],
  ['m10x1.5', 'M10 × 1.5'],
  ['3.5mm', '3.5 mm'],
  ['1.75mm', '1.75 millimeters'],
  ['4x8', '4 x 8'],
  ['2.5in', '2.5"'],
  ['1/2in', '1/2 inch'],
]

suite('letters and digits, together and apart', () => {
  const others = ['Blue cover red', 'Blue cover 7 red', 'Box of 9 blue things']
  for (const [one, other] of PAIRS) {
    test(`${one} and ${other} find each other`, () => {
      const titles = [`Blue ${one} cover red`, `Blue ${other} cover red`]
      for (const word of [one, other]) {
        for (const q of [word, `blue ${word} cover`, `cover red ${word}`]) {
          const answer = search([...titles, ...others], q, {
            require_all_terms: true,
            prefix_mode: 'off',
          })
          assert.equal(answer.found, 2, q)
          for (const marked of answer.marked) {
            const unmarked = marked.replaceAll(/\[[^\]]*\]/g, '')
            const left = q === word ? 'Blue  cover red' : q.startsWith('blue') ? '  red' : 'Blue  '
            assert.equal(
              unmarked.replaceAll(/\s+/g, ' ').trim(),
              left.replaceAll(/\s+/g, ' ').trim(),
              `${q} in ${marked}`,
            )
          }
        }
      }
    })
  }

  test('with words between them they are not a spelling', () => {
    const answer = search(['iPhone case 15', '15 iPhone'], 'iphone15', { prefix_mode: 'off' })
    assert.equal(answer.found, 0)
  })

  test('the typed piece of a longer number is marked', () => {
    assert.deepEqual(search(['MSI GTX1080Ti'], 'gtx 1080').marked, ['MSI [GTX1080]Ti'])
    assert.deepEqual(search(['Philips SHC8565'], '8565').marked, ['Philips SHC[8565]'])
    assert.deepEqual(search(['C-136/14 valve'], '136/14').marked, ['C-[136/14] valve'])
  })

  test('a word of letters and digits behind a hyphen leaves out both spellings', () => {
    const titles = ['PS 4 game', 'PS4 game', 'PS 5 game', '18 V drill', 'drill 18V', 'drill 12V']
    assert.deepEqual(search(titles, 'game -ps4').titles, ['PS 5 game'])
    assert.deepEqual(search(titles, 'drill -18v').titles, ['drill 12V'])
  })
})

suite('sizes', () => {
  const titles = ['Cable 10mm', 'Adapter 2.5/3.5mm', 'Tape 1in/25.4mm', 'Rope 12,7mm/1.5m']
  const cases: readonly (readonly [q: string, first: string])[] = [
    ['3.5mm', 'Adapter 2.5/3.5mm'],
    ['2.5 mm', 'Adapter 2.5/3.5mm'],
    ['25.4mm', 'Tape 1in/25.4mm'],
    ['1 inch', 'Tape 1in/25.4mm'],
    ['1.5m', 'Rope 12,7mm/1.5m'],
    ['10 mm', 'Cable 10mm'],
  ]
  for (const [q, first] of cases) {
    test(`${q} finds ${first} first, and alone with all its words`, () => {
      assert.equal(search(titles, q).titles[0], first)
      assert.deepEqual(search(titles, q, { require_all_terms: true }).titles, [first])
    })
  }

  test('a size is found inside of words', () => {
    const inside = ['ABC12MM', 'ABC12CM', '12 mm']
    const { titles, marked } = search(inside, '12mm', {
      infix_mode: 'always',
      require_all_terms: true,
    })
    assert.deepEqual(titles, ['12 mm', 'ABC12MM'])
    assert.deepEqual(marked, ['[12 mm]', 'ABC[12MM]'])
  })
})
