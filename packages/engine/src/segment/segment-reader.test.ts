import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CorruptDataError } from '../codec/section-file.ts'
import { GOODS, goodsDocument } from '../search/goods-for-test.ts'
import { buildSegment } from './segment-builder.ts'
import { mergeContextOf, targetOf } from './segment-for-test.ts'
import { SegmentReader } from './segment-reader.ts'

suite('segment reader', () => {
  const target = targetOf(GOODS)
  const keys = [3, 4, 10, 2 ** 32 + 1]
  const { buffer } = buildSegment(
    target,
    keys.map((docKey) => goodsDocument(docKey)),
  )
  const reader = new SegmentReader(buffer)

  test('documents are found by key', () => {
    assert.deepEqual(
      keys.map((docKey) => reader.docOrdOf(docKey)),
      [0, 1, 2, 3],
    )
    for (const docKey of [0, 2, 5, 2 ** 32, 2 ** 32 + 2]) assert.equal(reader.docOrdOf(docKey), -1)
  })

  test('words in no document have no list', () => {
    const unknown = target.terms.intern('unheard', (form) => form)
    assert.equal(reader.listOf(target.terms.groupOf(unknown)), -1)
  })

  test('fields newer than the segment have neither lengths nor values', () => {
    const later = {
      name: 'later',
      type: 'string',
      searchable: true,
      facet: true,
      sort: false,
    } as const
    const schema = { fields: [...GOODS.fields, later] }
    assert.equal(reader.lengths(5), undefined)
    assert.equal(reader.column(schema, 5, mergeContextOf(target).values[5]), undefined)
    assert.deepEqual([...reader.presence(5)], [0])
  })

  test('rejects bytes that are not a segment', () => {
    assert.throws(() => new SegmentReader(new SharedArrayBuffer(128)), CorruptDataError)
  })
})
