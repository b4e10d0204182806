import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { arbitraryHistory, arbitrarySchema } from '../naive/generate.ts'
import type { IndexDocument } from '../schema/document.ts'
import type { IndexSnapshot } from '../segment/snapshot.ts'
import { packTerms, TermReader, TermWriter } from '../dictionary/term-store.ts'
import { performIndexTask } from './index-task.ts'
import { IndexWriter } from './index-writer.ts'

/** All counts by name, without zeros. */
function countsOf(snapshot: IndexSnapshot): object {
  const terms = new TermReader(snapshot.terms)
  const forms: Record<string, number> = {}
  const groups: Record<string, number> = {}
  for (let id = 0; id < terms.count; id++) {
    assert.ok(terms.formDocFreq(id) >= 0 && terms.groupDocFreq(id) >= 0)
    if (terms.formDocFreq(id) > 0) forms[terms.text(id)] = terms.formDocFreq(id)
    if (terms.groupDocFreq(id) > 0) groups[terms.text(id)] = terms.groupDocFreq(id)
  }
  const { docCount, schema } = snapshot
  const perField = (totals: readonly number[]) =>
    schema.fields.map((_, field) => totals[field] ?? 0)
  return {
    docCount,
    fieldTokens: perField(snapshot.fieldTokens),
    fieldDocs: perField(snapshot.fieldDocs),
    forms,
    groups,
  }
}

suite('index statistics', () => {
  // Goal: scores do not depend on history. Method: compare a generated history of writes with an
  // index of the remaining documents.
  test('after any additions, removals and merges they equal those of a new index', () => {
    const histories = arbitrarySchema().chain((schema) => arbitraryHistory(schema, 10))
    fc.assert(
      fc.property(histories, ({ initialSchema, schema, steps }) => {
        const writer = new IndexWriter(initialSchema, 'en')
        const live = new Map<number, IndexDocument>()
        let added: IndexDocument[] = []
        let removed: IndexDocument[] = []
        const commit = () => {
          writer.apply({ added, removed })
          added = []
          removed = []
        }
        for (const step of steps) {
          if (step.kind === 'add') {
            added.push(step.document)
            live.set(step.document.docKey, step.document)
          } else if (step.kind === 'remove') {
            const document = live.get(step.docKey)
            if (document !== undefined) removed.push(document)
            live.delete(step.docKey)
          } else {
            commit()
            if (step.kind === 'schema') writer.setSchema(step.schema)
            if (step.kind === 'merge') mergeAll(writer)
          }
        }
        const fresh = new IndexWriter(schema, 'en')
        const documents = [...live.values()].toSorted((a, b) => a.docKey - b.docKey)
        fresh.apply({ added: documents, removed: [] })
        assert.deepEqual(countsOf(writer.snapshot()), countsOf(fresh.snapshot()))

        // Files contain the counts.
        const { counts, terms, segments } = writer.saved()
        const opened = { values: [], trie: undefined, segments, counts }
        const packed = TermWriter.fromPacked(packTerms(terms))
        const again = new IndexWriter(schema, 'en', { ...opened, terms: packed })
        assert.deepEqual(countsOf(again.snapshot()), countsOf(fresh.snapshot()))
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 60) },
    )
  })
})

function mergeAll(writer: IndexWriter): void {
  const ids = writer.segments.map(({ id }) => id)
  if (ids.length === 0) return
  writer.replace(ids, performIndexTask(writer.mergeTask({ from: 0, to: ids.length }))!)
}
