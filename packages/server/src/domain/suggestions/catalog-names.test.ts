import assert from 'node:assert/strict'
import test from 'node:test'
import type { SearchOutcome } from '@aisle/engine'
import { namesOf } from './catalog-names.ts'

test('the last part of a category path is a name', () => {
  const paths = [
    'Home > Kitchen',
    'Home/Kitchen ',
    'Home|  Kitchen >',
    'Home/Kitchen',
    'Kitchen//',
    ' > ',
  ]
  assert.deepEqual(
    namesOf(facetOf(paths)).map(({ text }) => text),
    ['Kitchen', 'Kitchen', 'Kitchen', 'Kitchen', 'Kitchen', ' > '],
  )
})

test('a slash in few of the names is part of them', () => {
  const brands = ['AC/DC', 'Norrby', 'Fells', 'Altiva', 'Home > TV/Audio']
  assert.deepEqual(
    namesOf(facetOf(brands)).map(({ text }) => text),
    ['AC/DC', 'Norrby', 'Fells', 'Altiva', 'TV/Audio'],
  )
})

function facetOf(values: readonly string[]): SearchOutcome {
  const counts = values.map((value) => ({ value, count: 1 }))
  return { facets: [{ counts }] } as unknown as SearchOutcome
}
