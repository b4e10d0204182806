import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { GOODS, goodsAnswers, goodsDocument } from '../search/goods-for-test.ts'
import { performIndexTask } from './index-task.ts'
import { IndexWriter } from './index-writer.ts'

const goods = (...docKeys: number[]) => docKeys.map((docKey) => goodsDocument(docKey))

function indexOf(...docKeys: number[]): IndexWriter {
  const writer = new IndexWriter(GOODS, 'en')
  writer.apply({ added: goods(...docKeys), removed: [] })
  return writer
}

suite('index writer', () => {
  test('each batch with documents makes a segment, a batch of only removals does not', () => {
    const writer = indexOf(1, 2, 3)
    writer.apply({ added: goods(4), removed: goods(1) })
    writer.apply({ added: [], removed: goods(2) })
    const sizes = writer.segments.map(({ docCount, liveCount }) => [docCount, liveCount])
    assert.deepEqual(sizes, [
      [3, 1],
      [1, 1],
    ])
    assert.equal(writer.docCount, 2)
    assert.deepEqual(goodsAnswers(writer.snapshot()), goodsAnswers(indexOf(3, 4).snapshot()))
  })

  test('removing a missing document, or one twice, changes nothing', () => {
    const writer = indexOf(1, 2, 3)
    writer.apply({ added: [], removed: goods(2, 2, 77) })
    writer.apply({ added: [], removed: goods(2) })
    assert.equal(writer.docCount, 2)
    assert.deepEqual(goodsAnswers(writer.snapshot()), goodsAnswers(indexOf(1, 3).snapshot()))
  })

  test('a long text is removed in steps, and leaves nothing behind', () => {
    const writer = indexOf(1)
    const text = 'a garden swing for many years, '.repeat(30_000)
    const long = { ...goodsDocument(2), values: goodsDocument(2).values.with(0, text) }
    writer.apply({ added: [long], removed: [] })
    let steps = 0
    for (const _ of writer.applySteps({ added: [], removed: [long] })) steps++
    assert.ok(steps >= text.length / 40_000, `${steps} steps`)
    assert.deepEqual(writer.snapshot().fieldTokens, indexOf(1).snapshot().fieldTokens)
    assert.deepEqual(goodsAnswers(writer.snapshot()), goodsAnswers(indexOf(1).snapshot()))
  })

  test('a document added and removed by one batch never existed', () => {
    const writer = indexOf(1)
    writer.apply({ added: goods(2, 3), removed: goods(2) })
    assert.deepEqual(goodsAnswers(writer.snapshot()), goodsAnswers(indexOf(1, 3).snapshot()))
  })

  test('a segment without live documents is dropped', () => {
    const writer = indexOf(1, 2)
    writer.apply({ added: goods(3), removed: [] })
    writer.apply({ added: [], removed: goods(1, 2) })
    assert.equal(writer.segments.length, 1)
    writer.apply({ added: [], removed: goods(3) })
    assert.equal(writer.segments.length, 0)
    assert.equal(writer.docCount, 0)
    assert.deepEqual(writer.coveredRanges, [])
    assert.equal(goodsAnswers(writer.snapshot())[0]!.found, 0)
  })

  test('a snapshot keeps its documents after later deletes', () => {
    const writer = indexOf(1, 2, 3)
    const before = writer.snapshot()
    writer.apply({ added: [], removed: goods(2) })
    assert.equal(goodsAnswers(before)[0]!.found, 3)
    assert.equal(goodsAnswers(writer.snapshot())[0]!.found, 2)
  })

  test('documents deleted during a merge are deleted in its result', () => {
    const writer = indexOf(1, 2, 3)
    writer.apply({ added: goods(4, 5), removed: goods(1) })
    const ids = writer.segments.map(({ id }) => id)
    const task = writer.mergeTask({ from: 0, to: 2 })
    writer.apply({ added: goods(6), removed: goods(3, 4) })
    writer.replace(ids, performIndexTask(task)!)
    const sizes = writer.segments.map(({ docCount, liveCount }) => [docCount, liveCount])
    assert.deepEqual(sizes, [
      [4, 2],
      [1, 1],
    ])
    assert.deepEqual(goodsAnswers(writer.snapshot()), goodsAnswers(indexOf(2, 5, 6).snapshot()))
  })

  test('batches out of order are searched in the order of their keys', () => {
    const writer = indexOf(1, 2)
    writer.apply({ added: goods(8, 9), removed: [] })
    writer.apply({ added: goods(4, 5), removed: [] })
    const ranges = [
      { from: 1, to: 2 },
      { from: 4, to: 5 },
      { from: 8, to: 9 },
    ]
    assert.deepEqual(writer.coveredRanges, ranges)
    const inOrder = indexOf(1, 2, 4, 5, 8, 9)
    assert.deepEqual(goodsAnswers(writer.snapshot()), goodsAnswers(inOrder.snapshot()))
  })

  test('a batch in steps is in no snapshot before the last, and merges may end meanwhile', () => {
    const writer = indexOf(1, 2, 3)
    writer.apply({ added: goods(4, 5), removed: [] })
    const before = goodsAnswers(writer.snapshot())
    const ids = writer.segments.map(({ id }) => id)
    const task = writer.mergeTask({ from: 0, to: 2 })
    const steps = writer.applySteps({ added: goods(6, 7, 8), removed: goods(2, 5, 5) })
    let count = 0
    while (steps.next().done !== true) {
      assert.deepEqual(goodsAnswers(writer.snapshot()), before)
      assert.equal(writer.docCount, 5)
      if (count++ === 2) writer.replace(ids, performIndexTask(task)!)
    }
    // At least one for each document.
    assert.ok(count >= 5, `${count} steps`)
    assert.equal(writer.docCount, 6)
    const all = indexOf(1, 3, 4, 6, 7, 8).snapshot()
    assert.deepEqual(goodsAnswers(writer.snapshot()), goodsAnswers(all))
  })

  test('a field added later is empty in older documents', () => {
    const schema = { fields: GOODS.fields.slice(0, 2) }
    const writer = new IndexWriter(schema, 'en')
    const older = [1, 2, 3].map((docKey) => goodsDocument(docKey, schema))
    writer.apply({ added: older, removed: [] })
    writer.setSchema(GOODS)
    writer.apply({ added: goods(4, 5), removed: [] })
    const whole = new IndexWriter(GOODS, 'en')
    whole.apply({ added: [...older, ...goods(4, 5)], removed: [] })
    assert.deepEqual(goodsAnswers(writer.snapshot()), goodsAnswers(whole.snapshot()))
    const ids = writer.segments.map(({ id }) => id)
    writer.replace(ids, performIndexTask(writer.mergeTask({ from: 0, to: 2 }))!)
    assert.deepEqual(goodsAnswers(writer.snapshot()), goodsAnswers(whole.snapshot()))
  })
})
