import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { arbitrarySchema, arbitraryValues, withElementFields } from '../naive/generate.ts'
import { arbitraryElementFilters } from '../naive/generate-filter.ts'
import { NaiveIndex } from '../naive/naive-index.ts'
import type { ElementsNode, FilterNode } from '../query/filter.ts'
import type { IndexDocument } from '../schema/document.ts'
import { elementsAt, type Field, type Schema } from '../schema/schema.ts'
import { EmbeddedIndexForTest } from './embedded-index-for-test.ts'

const analyzer = createAnalyzer('en')
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 80)

const arbitraryCase = arbitrarySchema()
  .map((schema) => ({ schema, filters: arbitraryElementFilters(schema, analyzer) }))
  .filter(({ filters }) => filters.length > 0)
  .chain(({ schema, filters }) =>
    fc.record({
      schema: fc.constant(schema),
      filters: fc.array(fc.oneof(...filters), { minLength: 1, maxLength: 8 }),
      documents: fc
        .array(arbitraryValues(schema), { minLength: 1, maxLength: 60, size: 'max' })
        .map((all) =>
          all.map((values, i): IndexDocument => ({ docKey: i + 1, id: `id-${i}`, values })),
        ),
    }),
  )

function indexOf(schema: Schema, documents: readonly IndexDocument[]): EmbeddedIndexForTest {
  const index = new EmbeddedIndexForTest(schema)
  for (const document of documents) {
    index.add(document)
    if (document.docKey % 7 === 0) index.commit()
  }
  return index
}

/** The same conditions on the document as a whole. Implied only without `not`. */
function flat({ node }: ElementsNode): FilterNode | undefined {
  if (node.kind !== 'and' && node.kind !== 'or') return undefined
  return node.nodes.some(({ kind }) => kind === 'not') || node.nodes.length === 0 ? undefined : node
}

suite('filters on elements', () => {
  test('equal the naive twin, before and after merges', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ schema, documents, filters }) => {
        const naive = new NaiveIndex(schema, analyzer)
        for (const document of documents) naive.add(document)
        const index = indexOf(schema, documents)
        const before = filters.map((filter) => index.matchingKeys(filter))
        assert.deepEqual(
          before,
          filters.map((filter) => naive.matchingKeys(filter)),
        )
        index.remove(documents[0]!.docKey)
        naive.remove(documents[0]!.docKey)
        index.merge()
        assert.deepEqual(
          filters.map((filter) => index.matchingKeys(filter)),
          filters.map((filter) => naive.matchingKeys(filter)),
        )
      }),
      { numRuns: RUNS },
    )
  })

  test('imply the same conditions on the document, and equal them with one element', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ schema, documents, filters }) => {
        const index = indexOf(schema, documents)
        for (const filter of filters) {
          const plain = flat(filter)
          if (plain === undefined) continue
          const byElement = new Set(index.matchingKeys(filter))
          const byDocument = new Set(index.matchingKeys(plain))
          assert.ok(byElement.isSubsetOf(byDocument))
          for (const { docKey, values } of documents) {
            if (elementsAt(values, filter.field).length > 1) continue
            assert.equal(byElement.has(docKey), byDocument.has(docKey))
          }
        }
      }),
      { numRuns: RUNS },
    )
  })

  test('find words of a field with thousands of values by element, too', () => {
    const roles = { searchable: true, facet: true, sort: false }
    const none = { searchable: false, facet: false, sort: false }
    const fields: Field[] = [
      { name: 'v', type: 'object[]', ...none },
      { name: 'v.text', type: 'string[]', ...roles, element: { objects: 0, type: 'string' } },
      { name: 'v.texts', type: 'string[]', ...roles, element: { objects: 0, type: 'string[]' } },
      { name: 'v.n', type: 'int32[]', ...roles, element: { objects: 0, type: 'int32' } },
    ]
    const schema = { fields }
    const naive = new NaiveIndex(schema, analyzer)
    const index = new EmbeddedIndexForTest(schema)
    for (let i = 0; i < 1_500; i++) {
      const elements = [0, 1, 2].slice(0, i % 4).map(
        (k) =>
          new Map<number, string | string[] | number>([
            [1, `colour${(i + k) % 7} size${(i * k) % 5} number${i}x${k}`],
            [2, [`first${i % 3} ${i}`, `second${k} part${i}y${k}`]],
            [3, k],
          ]),
      )
      const values = withElementFields(schema, [elements, undefined, undefined, undefined])
      const document = { docKey: i + 1, id: `id-${i}`, values }
      naive.add(document)
      index.add(document)
    }
    for (const [field, forms] of [
      [1, ['colour3', 'size2']],
      [1, ['colour3', 'colour4']],
      [2, ['second1', 'part5y1']],
      [2, ['first1', 'second1']],
    ] as const) {
      for (const node of [
        { kind: 'words', field, forms },
        { kind: 'wordPrefix', field, prefix: forms[1].slice(0, 5) },
      ] as const) {
        const two: FilterNode = { kind: 'equals', field: 3, value: 1 }
        const both: FilterNode = { kind: 'and', nodes: [node, two] }
        const filter: FilterNode = { kind: 'elements', field: 0, node: both }
        assert.deepEqual(index.matchingKeys(filter), naive.matchingKeys(filter))
      }
    }
  })
})
