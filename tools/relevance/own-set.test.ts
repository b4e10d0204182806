import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { suite } from 'node:test'
import { Fts5 } from '../lib/fts5.ts'
import { agreement, drawSecondPass, unequalTwins } from './consistency.ts'
import { readOwnSet, readSecondPass } from './own-set.ts'
import type { OwnSet } from './own-set.ts'
import { shownOf } from './pool.ts'

const QUERIES = 'id\tkind\tquery\tintent\nd1\thead\ttent\ta tent\n'
const JUDGMENTS = 'query\tdocument\tgrade\treason\n'

function noData(): string {
  throw new Error('the demo set needs no data sets')
}

/** Reads the demo set with other queries and judgments. */
function readWith(judgments: string, queries = QUERIES): OwnSet {
  const folder = mkdtempSync(join(tmpdir(), 'own-set-'))
  try {
    writeFileSync(join(folder, 'demo.queries.tsv'), queries)
    writeFileSync(join(folder, 'demo.judgments.tsv'), judgments)
    return readOwnSet('demo', noData, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function ids(set: OwnSet): Promise<Set<string>> {
  const found = new Set<string>()
  for await (const line of set.lines()) found.add((JSON.parse(line) as { id: string }).id)
  return found
}

suite('our own judged sets', () => {
  test('the demo set needs no data sets, and each of its judgments is of a product', async () => {
    const set = readOwnSet('demo', noData)
    const products = await ids(set)
    assert.equal(set.queries.length, 75)
    for (const { id, judgments } of set.queries) {
      assert.ok(
        [...judgments.keys()].every((document) => products.has(document)),
        id,
      )
    }
  })

  test('the second pass is over pairs of the first', () => {
    const { queries } = readOwnSet('demo', noData)
    const second = readSecondPass('demo')
    assert.ok(second.length > 100)
    assert.equal(agreement(queries, second).pairs, second.length)
  })

  test('the amazon_in set names products by ids alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'own-set-'))
    try {
      mkdirSync(join(folder, 'amazon_in'))
      writeFileSync(join(folder, 'amazon_in/schema.json'), '{"fields":[]}')
      writeFileSync(join(folder, 'amazon_in/products.jsonl'), '')
      const { queries } = readOwnSet('amazon_in', () => folder)
      assert.equal(queries.length, 75)
      for (const { id, judgments } of queries) {
        assert.ok(judgments.size > 0, id)
        for (const document of judgments.keys()) assert.match(document, /^[A-Z0-9]{10}$/)
      }
      const second = readSecondPass('amazon_in')
      assert.equal(agreement(queries, second).pairs, second.length)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('grades are by query and document', () => {
    const set = readWith(`${JUDGMENTS}d1\ttn-1\t3\ta tent\nd1\tln-1\t0\ta lantern\n`)
    assert.deepEqual(
      [...(set.queries[0]?.judgments ?? [])],
      [
        ['tn-1', 3],
        ['ln-1', 0],
      ],
    )
    assert.equal(set.goodGrade, 2)
  })

  test('an invalid judgment is refused', () => {
    const refused = (rows: string, message: RegExp, queries?: string): void => {
      assert.throws(() => readWith(`${JUDGMENTS}${rows}`, queries), message)
    }
    refused('d1\ttn-1\t4\ta tent\n', /"4" is not a grade: expected 0 to 3/)
    refused('d1\ttn-1\t\ta tent\n', /"" is not a grade/)
    refused('d1\ttn-1\t3\n', /d1 tn-1 has no reason/)
    refused('d1\ttn-1\t3\ta tent\nd1\ttn-1\t2\ta tent\n', /d1 tn-1 is judged twice/)
    refused('d2\ttn-1\t3\ta tent\n', /judgments of no query, "d2"/)
    refused('', /two queries have one id/, `${QUERIES}d1\thead\tmug\ta mug\n`)
    refused('', /the query d1 has no intent/, 'id\tkind\tquery\tintent\nd1\thead\ttent\n')
  })
})

test('twins with unequal grades are found, unless the query distinguishes them', () => {
  const red = { document: 'h-1', title: 'City Helmet, Red', grade: 3 }
  const blue = { document: 'h-2', title: 'City Helmet (Pack of 2), Blue', grade: 2 }
  assert.deepEqual(unequalTwins('helmet', [red, blue]), [[red, blue]])
  assert.deepEqual(unequalTwins('red helmet', [red, blue]), [])
  assert.deepEqual(unequalTwins('helmet', [red, { ...blue, grade: 3 }]), [])
})

test('agreement is the share of equal grades, and kappa the part beyond chance', () => {
  const queries = [
    {
      id: 'd1',
      judgments: new Map([
        ['a', 3],
        ['b', 0],
        ['c', 3],
        ['d', 0],
      ]),
    },
  ]
  const second = (grades: readonly number[]) =>
    ['a', 'b', 'c', 'd'].map((document, at) => ({
      query: 'd1',
      document,
      grade: grades[at] ?? 0,
    }))
  assert.deepEqual(agreement(queries, second([3, 0, 3, 0])), { pairs: 4, same: 4, kappa: 1 })
  assert.deepEqual(agreement(queries, second([3, 3, 0, 0])), { pairs: 4, same: 2, kappa: 0 })
})

test('a second pass is a tenth, and always the same', () => {
  const judgments = new Map(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, 1]))
  const drawn = drawSecondPass([{ id: 'd1', judgments }])
  const size = drawn.get('d1')?.length ?? 0
  assert.ok(size > 70 && size < 130, String(size))
  assert.deepEqual(drawSecondPass([{ id: 'd1', judgments }]), drawn)
})

test('first pages are counted: unjudged documents, and irrelevant ones', () => {
  const rest = { text: '', found: 2, condensed: 0, recall: 0, firstFive: 0, judged: 0, tookMs: 1 }
  const results = [
    { ...rest, id: 'd1', ranked: ['a', 'new'], ndcg: 1 },
    { ...rest, id: 'd2', ranked: ['b'], ndcg: undefined },
  ]
  const queries = [
    { id: 'd1', text: '', judgments: new Map([['a', 3]]) },
    { id: 'd2', text: '', judgments: new Map([['b', 0]]) },
  ]
  assert.deepEqual(shownOf(results, queries), {
    documents: 3,
    unjudged: 1,
    unjudgedQueries: ['d1'],
    withoutAnswer: 1,
    shownWithoutAnswer: 1,
  })
})

test('FTS5 ranks any word, the title first, and takes foreign text as words', async () => {
  async function* lines(): AsyncGenerator<string> {
    yield JSON.stringify({ id: 'a', title: 'Garden chair', tags: ['tents', 'x'] })
    yield JSON.stringify({ id: 'b', title: 'Tent' })
  }
  const fts5 = await Fts5.of(['title', 'tags'], lines())
  assert.deepEqual(fts5.search('tent', 10), ['b', 'a'])
  assert.deepEqual(fts5.search('"tent* OR (', 1), ['b'])
  assert.deepEqual(fts5.search('!?', 10), [])
  fts5.close()
})
