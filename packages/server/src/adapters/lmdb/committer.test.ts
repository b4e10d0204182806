import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { ApiError } from '@aisle/contract'
import { Committer } from './committer.ts'
import type { Environment } from './environment.ts'

/**
 * An environment whose commits fail the way lmdb fails: with two promises. The parameter says
 * whether reads still work afterwards.
 */
function failing(
  code: number,
  { reads = true, message = `errno ${code}` } = {},
): { environment: Environment; calls: () => number } {
  let calls = 0
  const root = {
    batch(): Promise<boolean> {
      calls++
      const cause = Object.assign(new Error(message), { code })
      const error = new Error('Commit failed (see commitError for details)')
      return Promise.reject(Object.assign(error, { commitError: Promise.reject(cause) }))
    },
  }
  const meta = {
    get(): undefined {
      if (!reads) throw new Error('MDB_PANIC: environment had fatal error')
    },
  }
  const environment = { root: { ...root, resetReadTxn: () => undefined }, meta }
  return { environment: environment as unknown as Environment, calls: () => calls }
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
    assert.match(lines[0] ?? '', /refused until the service is restarted/)
  })

  test('a full disk refuses this write and the next one is tried', async () => {
    const { environment, calls } = failing(28)
    const committer = new Committer(environment, () => undefined)
    for (let i = 0; i < 3; i++) await assert.rejects(committer.commit([]), ApiError)
    assert.equal(calls(), 3)
    assert.equal(committer.refusal, undefined)
  })

  test('when LMDB has given up, even for want of room, the process is told to end and no write is tried', async () => {
    const { environment, calls } = failing(28, { reads: false })
    const ends: string[] = []
    const committer = new Committer(
      environment,
      () => undefined,
      ({ message }) => void ends.push(message),
    )
    for (let i = 0; i < 3; i++) await assert.rejects(committer.commit([]), ApiError)
    assert.equal(calls(), 1)
    assert.deepEqual(ends, ['A commit failed and LMDB cannot continue: errno 28'])
  })

  test('an account of a failed write that is longer than the memory for it ends the process', async () => {
    const account = (sizes: string): string =>
      `No space left on device: Attempting to write page at position 28672, size 4096, blocks 1, buffer sizes ${sizes}`
    const endsWith = async (message: string): Promise<number> => {
      let ends = 0
      const { environment } = failing(28, { message })
      const committer = new Committer(
        environment,
        () => undefined,
        () => void ends++,
      )
      await assert.rejects(committer.commit([]), ApiError)
      return ends
    }
    assert.equal(await endsWith(account('4096 4096 4096')), 0)
    assert.equal(await endsWith(account('4096 1669322672 1669322016')), 1)
  })
})
