import assert from 'node:assert/strict'
import { getPriority } from 'node:os'
import test from 'node:test'
import { Worker } from 'node:worker_threads'
import { BACKGROUND_NICENESS } from './thread-priority.ts'

test(
  'a thread makes way by itself; the others of the process keep their priority',
  { skip: process.platform === 'linux' ? false : 'threads have no priority of their own' },
  async () => {
    const before = getPriority(0)
    const worker = new Worker(new URL('./test/lowered-thread.ts', import.meta.url))
    const lowered = await new Promise((resolve, reject) => {
      worker.on('message', resolve)
      worker.on('error', reject)
    })
    await worker.terminate()
    assert.equal(lowered, Math.min(19, before + BACKGROUND_NICENESS))
    assert.equal(getPriority(0), before)
  },
)
