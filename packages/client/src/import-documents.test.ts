import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { BulkResponse } from '@aisle/contract'
import { importDocuments } from './import-documents.ts'

/** A service that refuses documents without a title. */
function service() {
  const batches: string[][] = []
  let [now, most] = [0, 0]
  const send = async (lines: readonly string[]): Promise<BulkResponse> => {
    batches.push([...lines])
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(resolve))
    now--
    const results = lines.map((line, index) =>
      line.includes('title')
        ? ({ id: `${index}`, index, status: 'created', code: 201 } as const)
        : ({ id: `${index}`, index, status: 'failed', code: 400, error: 'no title' } as const),
    )
    const failed = results.filter(({ status }) => status === 'failed').length
    const summary = { total: lines.length, succeeded: lines.length - failed, failed }
    return { status: 207, results, success: failed === 0, indexed: 0, errors: [], summary }
  }
  return { send, batches, most: () => most }
}

const titled = (count: number) => Array.from({ length: count }, (_, i) => ({ title: `${i}` }))

suite('an import', () => {
  test('sends documents in order, some hundred at a time, four requests in flight', async () => {
    const { send, batches, most } = service()
    const seen: number[] = []
    const onProgress = ({ settled }: { settled: number }) => void seen.push(settled)
    const sum = await importDocuments(send, titled(3_203), { onProgress })
    assert.deepEqual(sum, { succeeded: 3_203, failed: 0 })
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [500, 500, 500, 500, 500, 500, 203],
    )
    assert.equal(batches.flat().at(-1), '{"title":"3202"}')
    assert.deepEqual(seen, [500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_203])
    assert.equal(most(), 4)
  })

  test('names the refused ones by their place', async () => {
    const { send } = service()
    const documents = [...titled(2), { name: 'x' }, ...titled(1), '{"n": 1.0}']
    const refused: unknown[] = []
    await importDocuments(send, documents, {
      batchSize: 2,
      onRefused: ({ index, line, error }) => refused.push([index, line, error]),
    })
    assert.deepEqual(refused, [
      [2, '{"name":"x"}', 'no title'],
      [4, '{"n": 1.0}', 'no title'],
    ])
  })

  test('takes bytes of NDJSON as they are', async () => {
    const { send, batches } = service()
    const stream = new Blob(['{"title":1.50}\n\n{"title":', '2}\n']).stream()
    assert.equal((await importDocuments(send, stream, {})).succeeded, 2)
    assert.deepEqual(batches, [['{"title":1.50}', '{"title":2}']])
  })

  test('sends a large document alone', async () => {
    const { send, batches } = service()
    const large = { title: 'x'.repeat(3_000_000) }
    await importDocuments(send, [{ title: 'a' }, large, large, { title: 'b' }], {})
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [2, 2],
    )
  })

  test('stops with the signal, and with an error of the service', async () => {
    const { send, batches } = service()
    const stop = new AbortController()
    const onProgress = () => stop.abort()
    const importing = importDocuments(send, titled(5_000), { onProgress, signal: stop.signal })
    await assert.rejects(importing, { name: 'AbortError' })
    assert.ok(batches.length < 6)
    const broken = importDocuments(() => Promise.reject(new Error('gone')), titled(5_000), {})
    await assert.rejects(broken, /gone/)
  })
})
