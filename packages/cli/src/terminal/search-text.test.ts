import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { SearchResponse } from '@aisle/client'
import { pricesOf, titleOf } from './card.ts'
import { searchText } from './search-text.ts'
import { styleOf } from './style.ts'

const plain = { style: styleOf(false, {}), allFields: false }

function answerOf(hits: unknown[], more: object = {}): SearchResponse {
  const page = { found: hits.length, page: 1, per_page: 10, total_pages: 1, search_time_ms: 1 }
  return { ...page, hits, cached: false, search_id: 'x', ...more } as unknown as SearchResponse
}

suite('a search on the terminal', () => {
  test('shows title, price, brand, what has marks, and pins', () => {
    const document = {
      id: '7',
      sku: 'x',
      Name: 'Dome tent',
      Price: 9.5,
      currency: 'EUR',
      about: 'A tent',
    }
    const hit = { id: '7', document, curated: true, highlight: { about: 'A <mark>tent</mark>' } }
    assert.equal(
      searchText(answerOf([hit]), plain),
      '1.  Dome tent  9.50 EUR  7  (pinned by a rule)\n   about: A tent\n\n1 found in 1 ms\n',
    )
    const coloured = { style: styleOf(true, {}), allFields: false }
    assert.ok(searchText(answerOf([hit]), coloured).includes('A \u001b[1;33mtent'))
    assert.match(searchText(answerOf([hit]), { ...plain, allFields: true }), /^ {3}sku: x$/m)
  })

  test('counts places over pages, and reads flat hits', () => {
    const hit = { id: '7', title: 'Mug', _curated: true, _highlight: {}, _text_match_score: 3 }
    const text = searchText(answerOf([hit], { page: 3 }), { ...plain, allFields: true })
    assert.equal(text, '21.  Mug  7  (pinned by a rule)\n\n1 found in 1 ms\n')
  })

  test('shows banners, the redirect, and what was done to the query', () => {
    const text = searchText(
      answerOf([], {
        metadata: {
          banner: 'Sale',
          banners: ['Sale', { title: 'More\u001b[2J' }],
          redirect: { url: '/x' },
        },
        applied_rules: ['a', 'b'],
        corrected_query: 'tent',
        did_you_mean: 'tents',
        rewritten_query: 'mug',
        warnings: ['careful'],
      }),
      plain,
    )
    assert.equal(
      text,
      'Banner  Sale\nBanner  {"title":"More\\u001b[2J"}\nRedirect  /x\n\n' +
        'Rewritten by rules: mug\nAlso searched: tent\nDid you mean: tents\n' +
        'Applied rules: a, b\nWarning: careful\n0 found in 1 ms\n',
    )
  })

  test('explains a score as a tree', () => {
    const fields = [{ field: 'title', weight: 5, term_freq: 2 }]
    const alternative = { variant: 'exact', forms: ['tent'], quality: 1, counted: true, fields }
    const word = { word: 'tent', known: true, documents: 1, weight: 2.591, points: 40 }
    const explanation = {
      tier: 100,
      exact_value: 0,
      words: [{ ...word, alternatives: [alternative] }],
      pairs: [{ words: ['dome', 'tent'], points: 2 }],
      leading: [{ word: 'tent', points: 3 }],
      boost: { factor: 2, rules: [{ id: 'r', filter_by: 'a:=b', weight: 2 }] },
    }
    const hit = { id: '7', document: { title: 'T' }, text_match_score: 198, explanation }
    assert.deepEqual(
      searchText(answerOf([hit]), plain)
        .split('\n')
        .slice(1, 9),
      [
        '   score 198',
        '   ├─ 100 for having all significant words',
        '   ├─ 40 for "tent" (in 1 document, weight 2.59)',
        '   │  └─ exact "tent" in title 2 times (weight 5); quality 1',
        '   ├─ 2 for "dome tent" side by side',
        '   ├─ 3 for "tent" before what the title says it is for',
        '   └─ × 2 by rules',
        '      └─ × 2 by "r": a:=b',
      ],
    )
  })

  test('an explanation has no empty texts, whatever the service does not say', () => {
    const evidence = { quality: 0.2, counted: false, forms: [], fields: [] }
    const word = { word: 's', known: true, documents: 9, weight: 1, points: 1 }
    const explanation = {
      tier: 0,
      exact_value: 0,
      words: [
        {
          ...word,
          alternatives: [
            { ...evidence, variant: 'prefix' },
            { ...evidence, variant: 'infix', counted: true },
            { ...evidence, variant: 'split', forms: ['c', 'ande'] },
          ],
        },
      ],
      pairs: [],
      boost: { factor: 2, rules: [{ id: 'r', filter_by: '', weight: 2 }] },
    }
    const hit = { id: '7', document: { title: 'T' }, text_match_score: 5, explanation }
    assert.deepEqual(
      searchText(answerOf([hit]), plain)
        .split('\n')
        .slice(2, 8),
      [
        '   ├─ 1 for "s" (in 9 documents, weight 1)',
        '   │  ├─ prefix "s…"; quality 0.2, does not count beside the others',
        '   │  ├─ infix "…s…"; quality 0.2',
        '   │  └─ split "c", "ande"; quality 0.2, does not count beside the others',
        '   └─ × 2 by rules',
        '      └─ × 2 by "r"',
      ],
    )
  })

  test('takes the first text for a title when no name says it', () => {
    assert.equal(titleOf({ id: 'x', n: 5, sku: 'a', about: 'b' }), 'a')
    assert.equal(titleOf({ n: 5 }), '')
    assert.equal(titleOf({ Artikelnummer: 'G-1', Bezeichnung: 'Spaten' }), 'Spaten')
  })

  test('prices of a list have the same number of decimals', () => {
    assert.deepEqual(pricesOf([{ Preis: 12.5 }, { price: 5, currency: 'EUR' }, { price: null }]), [
      '12.50',
      '5.00 EUR',
      '',
    ])
    assert.deepEqual(pricesOf([{ price: 5 }, { price: '7' }]), ['5', '7'])
  })
})
