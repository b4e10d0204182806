import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import { NOON_MS, searched } from '../history/events-for-test.ts'
import { QueryHistory } from '../history/query-history.ts'
import { SpellingBook, type Spelling } from './spelling-book.ts'

const analyzer = createAnalyzer('en')
const CERTAIN = { isCertain: true, meant: undefined }

function tableOf(queries: readonly string[]): QueryHistory['table'] {
  const history = new QueryHistory(analyzer)
  for (const query of queries) history.apply(searched(query, { sessionId: query }))
  history.tick(NOON_MS + 60_000)
  return history.table
}

/** Asks until everything is known. @returns the requested texts by turn */
function spell(book: SpellingBook, count: number, answers: Record<string, Spelling | undefined>) {
  const turns: string[][] = []
  for (let texts; (texts = book.next(count)).length > 0;) {
    turns.push(texts)
    book.take(
      texts,
      texts.map((text) => (text in answers ? answers[text] : CERTAIN)),
    )
  }
  return turns
}

suite('the spelling of queries', () => {
  const wrong = { isCertain: false, meant: 'wireless' }
  const table = tableOf(['wireles mouse', 'red mouse', 'red tent'])

  test('each word is requested once, and only queries with a doubtful word as a whole', () => {
    const book = new SpellingBook(analyzer)
    book.begin(table, [{ text: 'Tent', docCount: 3 }])
    const meant = { isCertain: false, meant: 'wireless mouse' }
    const turns = spell(book, 16, { wireles: wrong, 'wireles mouse': meant })
    assert.deepEqual(turns, [['wireles', 'mouse', 'red', 'tent'], ['wireles mouse']])
    assert.deepEqual(book.of('wireles mouse', ['wireles', 'mouse']), meant)
    assert.deepEqual(book.of('red tent', ['red', 'tent']), CERTAIN)
    assert.equal(book.of('blue tent', ['blue', 'tent']), undefined)
  })

  test('batches give the same result', () => {
    for (const count of [1, 2, 3]) {
      const book = new SpellingBook(analyzer)
      book.begin(table, [])
      const turns = spell(book, count, { wireles: wrong, 'wireles mouse': wrong })
      const all = turns.flat()
      assert.equal(new Set(all).size, all.length)
      assert.deepEqual(all.toSorted(), ['mouse', 'red', 'tent', 'wireles', 'wireles mouse'])
    }
  })

  test('texts that timed out stay unknown, and are requested again', () => {
    const book = new SpellingBook(analyzer)
    book.begin(table, [])
    spell(book, 16, { wireles: undefined })
    assert.equal(book.of('wireles mouse', ['wireles', 'mouse']), undefined)
    assert.deepEqual(book.of('red mouse', ['red', 'mouse']), CERTAIN)
    book.begin(table, [])
    assert.deepEqual(spell(book, 16, { wireles: wrong, 'wireles mouse': wrong }), [
      ['wireles'],
      ['wireles mouse'],
    ])
  })

  test('after a change of the catalog, spellings are kept until they are refreshed', () => {
    const book = new SpellingBook(analyzer)
    book.begin(table, [])
    spell(book, 16, { wireles: wrong, 'wireles mouse': wrong })
    book.renew()
    assert.deepEqual(book.of('wireles mouse', ['wireles', 'mouse']), wrong)
    book.begin(tableOf(['wireles mouse']), [])
    spell(book, 16, {})
    assert.deepEqual(book.of('wireles mouse', ['wireles', 'mouse']), CERTAIN)
    assert.equal(book.of('red tent', ['red', 'tent']), undefined, 'no longer needed')
  })
})
