import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { until } from '@aisle/testing'
import type { StoreIndex } from './engine-port.ts'
import { createIndexHost } from './index-host.ts'

const ENTRY = new URL('../../threads/test/dying-index-thread.ts', import.meta.url)
const PATIENCE_MS = 60_000
const SEGMENTS = 40

test('an index whose merges end the thread is set aside, and the others are merged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-index-host-'))
  const host = await createIndexHost(folder, ENTRY)
  const warnings: string[] = []
  const onWarning = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', onWarning)
  try {
    const listener = { onChange: () => undefined, onWorn: () => undefined }
    const [deadly, good] = await Promise.all(
      ['deadly', 'title'].map((name, i) =>
        host.open(
          i + 1,
          { fields: [{ name, type: 'string', searchable: true, facet: false, sort: false }] },
          'en',
          listener,
        ),
      ),
    )
    for (let i = 1; i <= SEGMENTS; i++) {
      for (const index of [deadly!, good!]) {
        index.apply({ added: [{ docKey: i, id: `d${i}`, values: ['word'] }], removed: [] })
      }
    }
    const isDone = (): boolean => segmentsOf(good!) < SEGMENTS / 2 && warnings.length > 0
    await until('merges and a warning', isDone, { timeoutMs: PATIENCE_MS })
    // What is written now asks for merges again, and harms nobody.
    for (const index of [deadly!, good!]) {
      index.apply({ added: [{ docKey: SEGMENTS + 1, id: 'last', values: ['word'] }], removed: [] })
    }
    await until('merges', () => segmentsOf(good!) < SEGMENTS / 2, { timeoutMs: PATIENCE_MS })
    assert.equal(segmentsOf(deadly!), SEGMENTS + 1)
    assert.deepEqual(warnings, [
      'Background work (merge) on index 1 crashed its thread and is suspended for 600 s',
    ])
  } finally {
    process.off('warning', onWarning)
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

function segmentsOf(index: StoreIndex): number {
  return index.statistics().segmentCount
}
