import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { partEntries, PartWriter, withUnknown } from '../../domain/documents/source-parts.ts'
import { digestOf, KnownDocuments } from './known-documents.ts'

const UNKNOWN = new Uint8Array(8)
const id = fc.oneof(fc.string({ maxLength: 20 }), fc.integer({ max: 3_000, min: 0 }).map(String))
const text = fc.integer({ min: 0, max: 3 }).map(String)
const action = fc.record({ kind: fc.constantFrom('remember', 'forget', 'read'), id, text })

suite('known documents', () => {
  test('are those of a map, whatever is remembered and read', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 4_000, size: 'max' }), (actions) => {
        const known = new KnownDocuments()
        const texts = new Map<string, string | undefined>()
        const seen = new Set<string>()
        for (const { kind, id: one, text: now } of actions) {
          if (kind === 'read') {
            const isSame = texts.get(one) === now
            const same = seen.has(one) ? 'repeated' : 'unchanged'
            const expected = !texts.has(one) ? 'new' : isSame ? same : 'changed'
            assert.equal(known.read(one, digestOf(now)), expected)
            seen.add(one)
          } else known.remember(one, kind === 'forget' ? UNKNOWN : digestOf(now))
          texts.set(one, kind === 'forget' ? undefined : now)
        }
        assert.deepEqual([known.count, known.missing], [texts.size, texts.size - seen.size])
        for (const [one, now] of texts) {
          assert.equal(known.isSeen(one), seen.has(one))
          const digest = now === undefined ? UNKNOWN : digestOf(now)
          assert.deepEqual(known.report(one), new Uint8Array(digest))
          assert.equal(known.report(one), undefined)
        }
      }),
      { numRuns: 30 },
    )
  })
})

suite('parts of the state of a source', () => {
  test('have the ids and digests that were written, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), text)), (entries) => {
        const writer = new PartWriter()
        const places = entries.map(([one, now]) => writer.add(one, digestOf(now)))
        const part = writer.take()
        const found = [...partEntries(part)]
        assert.deepEqual(
          found.map((one) => one.digestAt),
          places,
        )
        for (const [i, { id: one, digestAt }] of found.entries()) {
          const [wanted, now] = entries[i]!
          assert.equal(one, wanted.toWellFormed())
          assert.deepEqual(part.subarray(digestAt, digestAt + 8), new Uint8Array(digestOf(now)))
        }
        const unknown = withUnknown(part, places)
        for (const at of places) assert.deepEqual(unknown.subarray(at, at + 8), UNKNOWN)
      }),
    )
  })
})
