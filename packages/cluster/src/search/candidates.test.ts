import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import type { Schema, SearchPlan } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import type { History, IndexStep } from '@aisle/engine/naive/generate'
import { fieldSalience } from '@aisle/server/domain'
import { EMPTY_PLAN, NEEDS_CLUSTER, plainSlot, SeededRandom } from '@aisle/testing'
import { SearchedStoreForTest } from './searched-store-for-test.ts'

const analyzer = createAnalyzer('en')
const text = (name: string) => ({
  name,
  type: 'string' as const,
  searchable: true,
  facet: false,
  sort: false,
})
const SCHEMA: Schema = { fields: [text('title'), text('brand'), text('description')] }
const { weights, lengthNorms, titleField } = fieldSalience(SCHEMA)

const WORDS =
  'tent tents dome red lamp lamps 2.5in painting paint oak table chair steel soft'.split(' ')
/** Others, so that no word is in almost all documents, where points differ by their rounding. */
const OTHERS = Array.from({ length: 120 }, (_, i) => `other${i}`)
const DOCUMENTS = 1_500

/** More documents than are candidates, with words that are in most of them. */
function manyDocuments(): History {
  const random = new SeededRandom(7)
  const some = (least: number, most: number): string => {
    const count = least + Math.floor(random.next() * (most - least + 1))
    return Array.from({ length: count }, () => {
      const among = random.next() < 0.3 ? WORDS : OTHERS
      return among[Math.floor(random.next() * among.length)]
    }).join(' ')
  }
  const steps = Array.from({ length: DOCUMENTS }, (_, i): IndexStep => {
    const values = [some(2, 9), WORDS[i % WORDS.length]!, some(5, 30)]
    return { kind: 'add', document: { docKey: i + 1, id: `p${i}`, values } }
  })
  return { initialSchema: SCHEMA, schema: SCHEMA, steps }
}

function planOf(query: string, prefix: 'off' | 'always'): SearchPlan {
  const forms = Map.groupBy(query.split(' '), (form) => analyzer.stem(form))
  const slots = [...forms].map(([stem, [form]], i) => ({
    ...plainSlot(form!, stem),
    edits: 1 as const,
    prefix: i === forms.size - 1 ? prefix : ('off' as const),
  }))
  const fieldWeights = weights
  return { ...EMPTY_PLAN, slots, fieldWeights, lengthNorms, titleField, size: 10 }
}

suite('Many matches on a cluster', { ...NEEDS_CLUSTER, timeout: 600_000 }, () => {
  test('the first ten are those of one machine, with any number of words', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    const history = manyDocuments()
    const naive = new NaiveIndex(SCHEMA, analyzer)
    for (const step of history.steps) if (step.kind === 'add') naive.add(step.document)
    const store = await cluster.store(history, analyzer)
    const queries = WORDS.flatMap((word, i) => {
      const next = WORDS[(i + 5) % WORDS.length]!
      return [word, `${word} ${next}`, `${next} ${word} red`, `${word} tabl`, `${word} chiar`]
    })
    let compared = 0
    for (const query of queries) {
      for (const prefix of ['off', 'always'] as const) {
        const plan = planOf(query, prefix)
        const expected = naive.search(plan)
        const outcome = await store.search(plan)
        assert.equal(outcome.found, expected.found, query)
        if (expected.found > 200) compared++
        const keys = (hits: typeof expected.hits) => hits.map(({ docKey }) => docKey)
        assert.deepEqual(keys(outcome.hits), keys(expected.hits), `${query}, prefix ${prefix}`)
      }
    }
    assert.ok(compared > 40, `only ${compared} queries have more matches than candidates`)
  })

  test('with other weights of fields, the best come first as well', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    const store = await cluster.store(manyDocuments(), analyzer)
    const plan = { ...planOf('tent lamp', 'off'), fieldWeights: [1, 50, 1] }
    const { hits } = await store.search(plan)
    assert.equal(hits.length, 10)
    // The brand of each document is the word at its number.
    for (const { docKey } of hits) {
      assert.match(WORDS[(docKey - 1) % WORDS.length]!, /^(?:tents?|lamps?)$/)
    }
  })
})
