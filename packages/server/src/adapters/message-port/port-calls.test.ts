import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import type { CallPort } from './messages.ts'
import { PortCalls } from './port-calls.ts'
import { remoteObject } from './remote-object.ts'
import { endThread, serveCalls } from './serve-calls.ts'

interface Shelf {
  take(name: string): Promise<string>
  never(): Promise<void>
  note(text: string): void
}

interface ShelfCalls {
  readonly shelf: Shelf
}

function served(shelf: Partial<Shelf>): { port: CallPort; close: () => void } {
  const { port1, port2 } = new MessageChannel()
  const targets: ShelfCalls = { shelf: shelf as Shelf }
  serveCalls(port1, targets, () => new ApiError('internal', 'a bug'))
  return { port: port2, close: () => port1.close() }
}

suite('calls through a port', () => {
  test('an error keeps every part that a client is told', async () => {
    const thrown = new ApiError('quota_exceeded', 'full', {
      param: 'name',
      retryAfterSeconds: 7,
      resetAt: '2026-01-02T00:00:00.000Z',
      current: '{"priority":1}',
    })
    const { port, close } = served({ take: () => Promise.reject(thrown) })
    const calls = new PortCalls<ShelfCalls>().connect(port)
    await assert.rejects(calls.call('shelf', 'take', ['x']), (error) => {
      const { name, code, message, param, details, retryAfterSeconds, resetAt, current } = thrown
      assert.ok(error instanceof ApiError)
      const sent = { name, code, message, param, details, retryAfterSeconds, resetAt, current }
      assert.deepEqual({ ...error, message: error.message }, sent)
      return true
    })
    close()
  })

  test('what is told comes in order, before the answer to a later call', async () => {
    const heard: string[] = []
    const { port, close } = served({
      note: (text) => void heard.push(text),
      take: () => Promise.resolve(heard.join()),
    })
    const calls = new PortCalls<ShelfCalls>().connect(port)
    calls.tell('shelf', 'note', ['a'])
    calls.tell('shelf', 'note', ['b'])
    assert.equal(await calls.call('shelf', 'take', ['x']), 'a,b')
    assert.deepEqual(calls.waiting(), { count: 0, oldestMs: 0 })
    close()
  })

  test('both ends of a port may call', async () => {
    const { port1, port2 } = new MessageChannel()
    const ends = [port1, port2].map((port, i) => {
      const take = (name: string): Promise<string> => Promise.resolve(`${name} of ${i}`)
      serveCalls<ShelfCalls>(port, { shelf: { take } as Shelf }, endThread)
      return new PortCalls<ShelfCalls>().connect(port)
    })
    const answers = await Promise.all(ends.map((calls) => calls.call('shelf', 'take', ['a'])))
    assert.deepEqual(answers, ['a of 1', 'a of 0'])
    port1.close()
  })

  test('calls fail while there is no other side, wait for the one that they went to, and go to its successor', async () => {
    const calls = new PortCalls<ShelfCalls>()
    assert.equal(calls.isConnected, false)
    calls.tell('shelf', 'note', ['lost'])
    await assert.rejects(calls.call('shelf', 'take', ['a']), { code: 'unavailable' })
    const first = served({ never: () => new Promise(() => undefined) })
    calls.connect(first.port)
    const waiting = calls.call('shelf', 'never', [])
    assert.equal(calls.waiting().count, 1)
    const second = served({ take: (name) => Promise.resolve(name) })
    calls.connect(second.port)
    first.close()
    await assert.rejects(waiting, { code: 'unavailable' })
    assert.equal(calls.isConnected, true, 'the end of the first is not that of the second')
    assert.equal(await calls.call('shelf', 'take', ['b']), 'b')
    second.close()
  })

  test('a remote object has every method of its interface, and may have its own', async () => {
    const { port, close } = served({ take: (name) => Promise.resolve(`far ${name}`) })
    const calls = new PortCalls<ShelfCalls>().connect(port)
    const around: string[] = []
    const shelf = remoteObject(
      calls,
      'shelf',
      (call) => {
        around.push('call')
        return call()
      },
      { never: () => Promise.resolve() },
    )
    assert.equal(await shelf.take('a'), 'far a')
    await shelf.never()
    assert.deepEqual(around, ['call'], 'its own method is called as it is')
    assert.equal(await Promise.resolve(shelf), shelf, 'it is not a promise')
    close()
  })
})
