import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { ApiError } from '@aisle/contract'
import { Committer } from './committer.ts'
import type { Environment } from './environment.ts'

/** An environment of which the next commit fails the way lmdb fails: with two promises. */
function failing(code: number): { environment: Environment; calls: () => number } {
  let calls = 0
  const root = {
    batch(): Promise<boolean> {
      calls++
      const cause = Object.assign(new Error(`errno ${code}`), { code })
      const error = new Error('Commit failed (see commitError for details)')
      return Promise.reject(Object.assign(error, { commitError: Promise.reject(cause) }))
    },
  }
  return { environment: { root } as unknown as Environment, calls: () => calls }
}

suite('committer', () => {
  test('after a failed fsync every later write is refused, without touching the disk', async () => {
    const { environment, calls } = failing(5)
    const lines: string[] = []
    const committer = new Committer(environment, (line) => lines.push(line))
    for (let i = 0; i < 3; i++) {
      await assert.rejects(
        committer.commit([]),
        (error) => error instanceof ApiError && error.code === 'unavailable',
      )
    }
    assert.equal(calls(), 1)
    assert.equal(committer.refusal, 'errno 5')
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /refused until the service is started again/)
  })

  test('a full disk refuses this write and the next one is tried', async () => {
    const { environment, calls } = failing(28)
    const committer = new Committer(environment, () => undefined)
    for (let i = 0; i < 3; i++) await assert.rejects(committer.commit([]), ApiError)
    assert.equal(calls(), 3)
    assert.equal(committer.refusal, undefined)
  })
})
