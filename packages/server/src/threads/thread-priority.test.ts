import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import test from 'node:test'
import { Worker } from 'node:worker_threads'
import { until } from '@aisle/testing'
import { TestService } from './test/test-service.ts'
import { BACKGROUND_NICENESS, PATIENT_NICENESS } from './thread-priority.ts'

const isLinux = process.platform === 'linux'
const skip = isLinux ? false : 'threads have no separate priority'

test(
  'a thread lowers only its own priority; the others of the process keep theirs',
  { skip },
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

test('writer and helpers of V8 make way for serving threads', { skip }, async () => {
  const before = getPriority(0)
  // It would be the lowest for all.
  if (before + BACKGROUND_NICENESS > 19) return
  await using service = await TestService.start(['--threads', '2'])
  const { pid } = service.child
  const isOf = (thread: string, niceness: number): boolean => {
    const found = nicenessOf(pid!, thread)
    return found.length > 0 && found.every((value) => value === before + niceness)
  }
  for (const thread of ['node-V8Worker', 'node-MainThread', 'reports']) {
    await until(`${thread} makes way`, () => isOf(thread, PATIENT_NICENESS))
  }
  for (const thread of ['serve-0', 'serve-1', 'events']) {
    assert.ok(isOf(thread, 0), `${thread}: ${String(nicenessOf(pid!, thread))}`)
  }
})

/** Of the threads of a process with this name. */
function nicenessOf(pid: number, name: string): number[] {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks)
    .filter((thread) => readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim() === name)
    .map((thread) => getPriority(Number(thread)))
}
