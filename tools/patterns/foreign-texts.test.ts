import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { ApiError } from '@aisle/contract'
import { createAnalyzer, TextMarker, type SearchOutcome } from '@aisle/engine'
import { finalQueries, parseTime } from '@aisle/event-log'
import { looksPersonal, readQuery } from '@aisle/suggestions'
import { networkOf } from '../../packages/event-log/src/intake/address-hash.ts'
import { filtersUsed } from '../../packages/event-log/src/reports/used-filters.ts'
import { namesOf } from '../../packages/server/src/domain/suggestions/catalog-names.ts'
import { parseFacets } from '../../packages/server/src/domain/expressions/facet-language.ts'
import { parseFilter } from '../../packages/server/src/domain/expressions/filter-parser.ts'
import { parseNumber } from '../../packages/server/src/domain/values/number-literal.ts'
import { shopSchema } from '../../packages/server/src/domain/plan/plan-fixture.ts'
import { parseQuerySyntax } from '../../packages/server/src/domain/query/query-syntax.ts'
import { parseSort } from '../../packages/server/src/domain/expressions/sort-language.ts'
import { superlinear } from '@aisle/testing'

/** Parts of texts, to be repeated: each was slow somewhere, or looks as if it could be. */
const PIECES = [
  [' ', '\t\n', '/', ' > ', '[":', '"', '" ', '`', '[', '(', ':', 'a:', 'a: ', 'a:b and '],
  ['a:[1,', ' and "', ' or ', 'not ', '!', '&&', '||', '=', ',', '<mark>', '&lt;', '@ ', '-'],
  ['a-', '1,', '1.', '0', '9', '1/2 ', '12x', '3 inch ', "'s", "l'", 'e', 'ue', 'oe', 'et'],
  ['\u0301\u0316', 'e\u0301', '\u093c\u0301', 'ก', '漢', '\u30fc', '\u0627\u0644', '\ud800'],
  ['\u200d🙂', 'Σ', 'İ', '\\', '{"a":', '::', '1.1.', '2026-01-01T', '_', '%', '+', '*'],
].flat()

const english = createAnalyzer('en')
const WORDS = ['a', 'e', '1'].map((stem) => {
  const spellings = { stems: [stem], sequences: [[stem, stem]], prefix: stem, infixes: ['b'] }
  return { ...spellings, isLittle: false, weight: 1 }
})
const MARKS = { before: '<b>', after: '</b>', escape: true }

const warn = (): void => undefined

function reading(read: (text: string) => unknown): (text: string) => void {
  return (text) => {
    try {
      read(text)
    } catch (error) {
      // Not every text is an expression.
      if (!(error instanceof ApiError)) throw error
    }
  }
}

/** All parsers of foreign text that work without a store. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'names of the catalog': (text) => namesOf(facetOf(text)),
  'a suggested query': (text) => readQuery(text, english),
  'a personal text': (text) => looksPersonal(text.slice(0, 1000)),
  'filters of an event': (text) => filtersUsed({ filters: text }),
  'a time': parseTime,
  'an address': networkOf,
  'queries of a burst': (query) =>
    finalQueries(
      [0, 1, 2].map((atMs) => ({ visitor: 'a', atMs, query: query + 'x'.repeat(atMs) })),
    ),
  'a filter': (text) => parseFilter(text, shopSchema, english),
  'a quoted filter': (text) => parseFilter(`title:x ${text}`, shopSchema, english, { warn }),
  'a list of a filter': (text) => parseFilter(`title:[x ${text}]`, shopSchema, english, { warn }),
  'a value in quotes': (text) => parseFilter(`title:"${text}"`, shopSchema, english),
  'a sort': (text) => parseSort(text, shopSchema, english),
  facets: (text) => parseFacets(text, {}, shopSchema, english),
  'a number': (text) => parseNumber(text, 'int64'),
  'a query': parseQuerySyntax,
  'a marked text': (text) => new TextMarker(english, WORDS).mark(text, MARKS),
  'a snippet': (text) => new TextMarker(english, WORDS).snippet(text, 30, MARKS),
  ...Object.fromEntries(
    ['en', 'de', 'ja', 'th', 'ar'].map((language) => {
      const analyzer = createAnalyzer(language)
      return [
        `words, ${language}`,
        (text: string) => analyzer.analyze(text).map(({ form }) => analyzer.stem(form)),
      ]
    }),
  ),
}

function facetOf(value: string): SearchOutcome {
  return { facets: [{ counts: [{ value, count: 1 }] }] } as unknown as SearchOutcome
}

suite('parsers of foreign text take linear time', () => {
  for (const [name, read] of Object.entries(READERS)) {
    test(name, () => {
      const problems = PIECES.flatMap((piece) =>
        ['', 'x'].flatMap((end) => {
          const textOf = (chars: number): string =>
            `a${piece.repeat(Math.ceil(chars / piece.length))}${end}`
          const found = superlinear(reading(read), textOf, 16_384)
          return found === undefined
            ? []
            : [`${JSON.stringify(piece)} … ${JSON.stringify(end)}: ${found}`]
        }),
      )
      assert.deepEqual(problems, [])
    })
  }
})
