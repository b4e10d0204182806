import assert from 'node:assert/strict'
import { openSync, closeSync } from 'node:fs'
import { test } from 'node:test'
import { byQuarter, growthOf, holdingOf } from './chaos/process-watch.ts'
import type { Holding } from './chaos/process-watch.ts'

const held = (anonymousMegabytes: number, fileDescriptors: number, threads: number): Holding => ({
  anonymousMegabytes,
  fileDescriptors,
  threads,
})

test('a process that holds more and more is seen; one that warms up is not', () => {
  const flat = byQuarter([held(50, 9, 5), held(100, 20, 11), held(101, 25, 12), held(104, 22, 11)])
  assert.deepEqual(growthOf(flat), [])
  const grown = byQuarter([
    held(100, 20, 11),
    held(100, 20, 11),
    held(103, 30, 12),
    held(106, 31, 14),
  ])
  assert.equal(growthOf(grown).length, 3)
  assert.equal(byQuarter([held(1, 1, 1)]), undefined)
})

const system =
  process.platform === 'linux' ? {} : { skip: 'NOT RUN: what a process holds is told by Linux' }

test('memory, file descriptors and threads of a process are counted', system, () => {
  const before = holdingOf(process.pid)!
  const kept = Buffer.alloc(64_000_000, 1)
  const files = Array.from({ length: 20 }, () => openSync(import.meta.filename, 'r'))
  const after = holdingOf(process.pid)!
  for (const file of files) closeSync(file)
  assert.ok(after.anonymousMegabytes > before.anonymousMegabytes + 0.9 * (kept.length / 1e6))
  assert.ok(after.fileDescriptors >= before.fileDescriptors + 20)
  assert.ok(before.threads > 1)
  assert.equal(holdingOf(2 ** 22 + 1), undefined)
})
