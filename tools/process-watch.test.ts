import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { byQuarter, growthOf, holdingOf } from './chaos/process-watch.ts'
import type { Holding } from './chaos/process-watch.ts'

const held = (anonymousMegabytes: number, fileDescriptors: number, threads: number): Holding => ({
  anonymousMegabytes,
  fileDescriptors,
  threads,
})

test('a growing process is detected; one that warms up is not', () => {
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
  process.platform === 'linux'
    ? {}
    : { skip: 'NOT RUN: only Linux reports the resources of a process' }

test('memory, file descriptors and threads of a process are counted', system, async () => {
  // A separate process: in this one, memory left by other tests may be freed meanwhile.
  const script = `
    let kept
    process.stdin.once('data', () => {
      const { openSync } = require('node:fs')
      const files = Array.from({ length: 20 }, () => openSync('/dev/null', 'r'))
      kept = [Buffer.alloc(64_000_000, 1), files]
      process.stdout.write('.')
    })
    process.stdout.write('.')`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    await once(child.stdout, 'data')
    const before = holdingOf(child.pid!)!
    child.stdin.write('go')
    await once(child.stdout, 'data')
    const after = holdingOf(child.pid!)!
    const grown = after.anonymousMegabytes - before.anonymousMegabytes
    assert.ok(grown > 50, `${grown} MB`)
    assert.ok(after.fileDescriptors >= before.fileDescriptors + 20)
    assert.ok(before.threads > 1)
  } finally {
    child.kill('SIGKILL')
  }
  assert.equal(holdingOf(2 ** 22 + 1), undefined)
})
