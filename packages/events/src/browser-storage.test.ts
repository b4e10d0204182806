import assert from 'node:assert/strict'
import test, { afterEach, suite } from 'node:test'
import { openStorage } from './browser-storage.ts'

/** A browser storage with a quota of this many characters. */
function install(lengthMax: () => number): Map<string, string> {
  const items = new Map<string, string>()
  const store = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => {
      if (value.length > lengthMax()) throw new DOMException('full', 'QuotaExceededError')
      items.set(name, value)
    },
    removeItem: (name: string) => void items.delete(name),
  }
  Object.defineProperty(globalThis, 'localStorage', { value: store, configurable: true })
  return items
}

suite('storage of the browser', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
  afterEach(() => {
    if (before !== undefined) Object.defineProperty(globalThis, 'localStorage', before)
    else Reflect.deleteProperty(globalThis, 'localStorage')
  })

  test('what no longer fits is there all the same, and newer than what fitted', () => {
    let room = 9
    const items = install(() => room)
    const storage = openStorage('aisle.', ['queue'])
    storage.set('queue', ['a'])
    storage.set('queue', ['a', 'b', 'c'])
    assert.deepEqual(storage.get('queue'), ['a', 'b', 'c'])
    assert.equal(items.get('aisle.queue'), '["a"]')
    room = 100
    storage.set('queue', ['b', 'c'])
    assert.deepEqual(storage.get('queue'), ['b', 'c'])
    assert.equal(items.get('aisle.queue'), '["b","c"]')
  })

  test('what another script has written there is nothing', () => {
    const items = install(() => 100)
    items.set('aisle.queue', 'not JSON')
    assert.equal(openStorage('aisle.', ['queue']).get('queue'), undefined)
  })

  test('forgets all that it names, and what was not stored', () => {
    const items = install(() => 9)
    const storage = openStorage('aisle.', ['queue', 'visitor'])
    storage.set('visitor', 'v')
    storage.set('queue', 'far too long')
    storage.clear()
    assert.deepEqual(
      [storage.get('visitor'), storage.get('queue'), items.size],
      [undefined, undefined, 0],
    )
  })
})
