import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { assertAgreement } from '../naive/agreement.ts'
import { arbitraryHistory, arbitrarySchema } from '../naive/generate.ts'
import { arbitraryGroupedPlan, arbitraryPlan } from '../naive/generate-plan.ts'
import { arbitraryMeaning, arbitraryVectorFields } from '../naive/generate-vectors.ts'
import { NaiveIndex } from '../naive/naive-index.ts'
import type { SearchPlan } from '../query/plan.ts'
import type { IndexDocument } from '../schema/document.ts'
import { fieldValue, type Schema } from '../schema/schema.ts'
import { EmbeddedIndexForTest } from './embedded-index-for-test.ts'

const analyzer = createAnalyzer('en')
const BY_SCORE = { kind: 'textMatch', descending: true } as const

const arbitraryCase = arbitrarySchema(arbitraryVectorFields())
  .filter(({ fields }) => fields.some(({ vector }) => vector !== undefined))
  .chain((schema) =>
    fc.record({
      history: fc.constantFrom(40, 300).chain((copies) => arbitraryHistory(schema, copies)),
      plans: fc.array(
        fc
          .tuple(
            fc
              .oneof(arbitraryPlan(schema, analyzer), arbitraryGroupedPlan(schema, analyzer))
              .filter(({ slots }) => slots.length > 0),
            arbitraryMeaning(schema).filter((meaning) => meaning !== undefined),
          )
          .map(([{ minRelevance: _, ...plan }, meaning]) => ({
            ...plan,
            // Other keys break ties between equal scores.
            sort: [BY_SCORE, ...plan.sort.slice(1)],
            ...(meaning === undefined ? {} : { meaning }),
          })),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  )

// Goal: what words find and what only their meaning finds are counted, ordered and faceted as
// defined. Method: the same history and plans on the naive twin; the orders often differ from
// those by words alone.
test('an order by words and meaning equals that of the naive twin', () => {
  let [ordered, added, grouped] = [0, 0, 0]
  fc.assert(
    fc.property(arbitraryCase, ({ history, plans }) => {
      const naive = new NaiveIndex(history.schema, analyzer)
      const embedded = new EmbeddedIndexForTest(history.schema)
      for (const step of history.steps) {
        if (step.kind === 'add') {
          naive.add(step.document)
          embedded.add(step.document)
        } else if (step.kind === 'remove') {
          naive.remove(step.docKey)
          embedded.remove(step.docKey)
        } else if (step.kind === 'merge') embedded.merge()
        else embedded.commit()
      }
      embedded.commit()
      for (const plan of plans) {
        assertAgreement(naive, embedded, plan)
        const withMeaning = embedded.search(plan)
        const keysOf = ({ hits }: typeof withMeaning) => hits.map(({ docKey }) => docKey).join()
        if (keysOf(withMeaning) !== keysOf(embedded.search(withoutMeaning(plan)))) ordered++
        if ((withMeaning.foundByMeaning ?? 0) === 0) continue
        added++
        if (plan.groups !== undefined) grouped++
      }
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 60) },
  )
  const counts = `${ordered} other orders, ${added} with more documents, ${grouped} of them in groups`
  assert.ok(ordered > 0 && added > 0 && grouped > 0, counts)
})

// Goal: vectors that no field has behave as those of a field. Method: the same documents, with
// their vectors in a space; merges keep them, and another space is another set of vectors.
test('an order by words and the vectors of a space equals that of the naive twin', () => {
  let [ordered, added] = [0, 0]
  fc.assert(
    fc.property(arbitraryCase, ({ history, plans }) => {
      const schema = withSpace(history.schema)
      const naive = new NaiveIndex(schema, analyzer)
      const embedded = new EmbeddedIndexForTest(schema)
      const live = new Map<number, IndexDocument>()
      for (const step of history.steps) {
        if (step.kind === 'add') {
          const document = withOwnVector(step.document, history.schema)
          live.set(document.docKey, document)
          naive.add(document)
          embedded.add(document)
        } else if (step.kind === 'remove') {
          live.delete(step.docKey)
          naive.remove(step.docKey)
          embedded.remove(step.docKey)
        } else if (step.kind === 'merge') embedded.merge()
        else embedded.commit()
      }
      embedded.commit()
      const withVector = [...live.values()].filter(({ vectors }) => vectors !== undefined)
      assert.equal(embedded.writer.vectorCount(1), withVector.length)
      assert.equal(embedded.writer.vectorCount(2), 0)
      for (const { meaning, ...plan } of plans) {
        const plain = embedded.search(plan)
        const meant = { ...plan, meaning: { ...meaning!, field: -1 } }
        assertAgreement(naive, embedded, meant)
        const found = embedded.search(meant)
        const keysOf = ({ hits }: typeof found) => hits.map(({ docKey }) => docKey).join()
        if (keysOf(found) !== keysOf(plain)) ordered++
        if ((found.foundByMeaning ?? 0) > 0) added++
      }
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 60) },
  )
  assert.ok(ordered > 0 && added > 0, `${ordered} other orders, ${added} with more documents`)
})

const vectorOrdinal = ({ fields }: Schema) => fields.findIndex(({ vector }) => vector !== undefined)

function withSpace(schema: Schema): Schema {
  const { dimensions } = schema.fields[vectorOrdinal(schema)]!.vector!
  const space = { number: 1, dimensions, embedder: 'e', fingerprint: 'f', fields: [] }
  return { ...schema, spaces: [space, { ...space, number: 2 }] }
}

function withOwnVector(document: IndexDocument, schema: Schema): IndexDocument {
  const values = fieldValue(document.values, vectorOrdinal(schema)) as number[] | undefined
  return values === undefined ? document : { ...document, vectors: new Map([[1, values]]) }
}

function withoutMeaning({ meaning: _, ...plan }: SearchPlan): SearchPlan {
  return plan
}
