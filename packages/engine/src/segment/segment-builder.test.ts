import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { analyzeDocument } from '../analysis/analyze-document.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { arbitrarySchema, arbitraryValues } from '../naive/generate.ts'
import type { IndexDocument } from '../schema/document.ts'
import type { Schema } from '../schema/schema.ts'
import { encodeImpact } from '../scoring/formula.ts'
import { buildSegment, buildSegmentSteps, narrowest } from './segment-builder.ts'
import { targetOf, wordsOf } from './segment-for-test.ts'
import type { Occurrence } from '../postings/positions.ts'
import { SegmentReader } from './segment-reader.ts'

suite('segment builder', () => {
  // Before, a document of a megabyte was analysed in one step of 70 ms.
  test('a document with many fields, a long list or a long text is analysed in steps', () => {
    const text = 'some words of a text, 600 characters long, '.repeat(14)
    const shapes = [
      { type: 'string', fieldCount: 200, value: text },
      { type: 'string[]', fieldCount: 1, value: Array.from({ length: 200 }, () => text) },
      { type: 'string', fieldCount: 1, value: text.repeat(200) },
    ] as const
    for (const { type, fieldCount, value } of shapes) {
      const fields = Array.from({ length: fieldCount }, (_, i) => ({
        name: `text${i}`,
        type,
        searchable: true,
        facet: false,
        sort: false,
      }))
      const target = targetOf({ fields })
      let scanned = 0
      const analyzer = withScan(target.analyzer, (text, sink) => {
        scanned += text.length
        target.analyzer.scan!(text, sink)
      })
      const document = { docKey: 1, id: 'd', values: fields.map(() => value) }
      const steps = buildSegmentSteps({ ...target, analyzer }, [document])
      let mostScanned = 0
      for (let before = 0; steps.next().done !== true; before = scanned) {
        mostScanned = Math.max(mostScanned, scanned - before)
      }
      assert.equal(scanned, text.length * 200)
      assert.ok(mostScanned <= 40_000, `${mostScanned} characters in one step`)
    }
  })

  // Goal: a segment contains exactly what the analyzer emits. Method: compare with lists built
  // naively from the documents.
  test('every word of every document is in the posting list of its stem, at its position', () => {
    const inputs = arbitrarySchema().chain((schema) =>
      fc.record({
        schema: fc.constant(schema),
        values: fc.array(arbitraryValues(schema), { minLength: 1, maxLength: 8 }),
      }),
    )
    fc.assert(
      fc.property(inputs, ({ schema, values }) => {
        const documents = values.map((values, i) => ({ docKey: i * 3 + 5, id: `d${i}`, values }))
        assertHoldsAllWords(schema, documents)
      }),
      { numRuns: 60 },
    )
  })

  test('a text that is read part by part has the positions of the whole', () => {
    const words = Array.from({ length: 9_000 }, (_, i) => `w${'abcdefg'[i % 7]} rare${i % 500}`)
    const field = { type: 'string', searchable: true, facet: false, sort: false } as const
    const fields = [
      { ...field, name: 'text' },
      { ...field, name: 'list', type: 'string[]' as const },
    ]
    const text = words.join(' and ')
    const values = [text, ['first', text, 'last']]
    assertHoldsAllWords({ fields }, [{ docKey: 1, id: 'd', values }])
  })

  test('numbers are stored in the narrowest type that fits', () => {
    assert.ok(narrowest(Uint32Array.of(0, 255)) instanceof Uint8Array)
    assert.ok(narrowest(Uint32Array.of(256)) instanceof Uint16Array)
    assert.ok(narrowest(Uint32Array.of(65_536)) instanceof Uint32Array)
    assert.deepEqual(narrowest(new Uint32Array(0)), new Uint8Array(0))
  })
})

/** Compares a segment with lists that are built naively from the documents. */
function assertHoldsAllWords(schema: Schema, documents: readonly IndexDocument[]): void {
  const target = targetOf(schema)
  const { terms, analyzer } = target
  const built = buildSegment(target, documents)
  const reader = new SegmentReader(built.buffer)
  const textFields = schema.fields.flatMap((field, i) => (field.searchable ? [i] : []))
  assert.deepEqual([...reader.textFields], textFields)

  const formDocs = new Map<number, Set<number>>()
  const lists = new Map<number, Map<number, object>>()
  for (const document of documents) {
    const fields = analyzeDocument(schema, analyzer, document)
    const groups = new Map<number, Occurrence[]>()
    for (const { field, elements } of fields) {
      for (const { start, covered, tokens } of elements) {
        for (const token of tokens) {
          const form = terms.find(token.form)
          const group = terms.groupOf(form)
          const place = {
            textField: textFields.indexOf(field),
            position: start + token.position,
            endsValue: token.position === covered - 1,
          }
          const places = groups.get(group) ?? []
          places.push({ ...place, form: terms.numberOf(form) })
          groups.set(group, places)
          formDocs.set(form, (formDocs.get(form) ?? new Set()).add(document.docKey))
        }
      }
    }
    for (const [group, places] of groups) {
      const forms = new Set(places.map(({ form }) => form))
      const posting = {
        docKey: document.docKey,
        mask: [...forms].reduce((mask, form) => mask | (1 << form), 0),
        impacts: textFields.map((field, textField) => {
          const termFreq = places.filter((place) => place.textField === textField).length
          const { length = 0 } = fields.find((one) => one.field === field) ?? {}
          return termFreq === 0 ? 0 : encodeImpact(termFreq, length)
        }),
        occurrences: forms.size > 1 ? places : places.map((place) => ({ ...place, form: -1 })),
      }
      lists.set(group, (lists.get(group) ?? new Map()).set(document.docKey, posting))
    }
  }
  const wanted = [...lists]
    .toSorted(([a], [b]) => a - b)
    .map(([group, postings]) => ({
      stem: terms.text(group),
      postings: [...postings.values()],
    }))
  const words = wordsOf(built.buffer, target) as { lists: object[] }
  assert.deepEqual(words.lists, wanted)

  assert.deepEqual(
    pairs(built.formDocFreqs),
    new Map([...formDocs].map(([form, docs]) => [form, docs.size])),
  )
  assert.deepEqual(
    pairs(built.groupDocFreqs),
    new Map([...lists].map(([group, postings]) => [group, postings.size])),
  )
}

function pairs(flat: Uint32Array): Map<number, number> {
  const map = new Map<number, number>()
  for (let i = 0; i < flat.length; i += 2) if (flat[i + 1]! > 0) map.set(flat[i]!, flat[i + 1]!)
  return map
}

function withScan(analyzer: Analyzer, scan: NonNullable<Analyzer['scan']>): Analyzer {
  return new Proxy(analyzer, {
    get: (own, name) => {
      const member: unknown = name === 'scan' ? scan : Reflect.get(own, name)
      return typeof member === 'function' ? (member.bind(own) as unknown) : member
    },
  })
}
