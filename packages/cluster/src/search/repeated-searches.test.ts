import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { RepeatedSearches } from './repeated-searches.ts'

/** Searches of stores on a clock, whose versions and numbers of checks are known. */
function searched() {
  let nowMs = 1_000
  const versions: Record<string, number | Error> = {}
  const asks: Record<string, number> = {}
  let checkMs = 0
  const repeated = new RepeatedSearches(() => nowMs)
  return {
    versions,
    asks,
    later: (ms: number) => (nowMs += ms),
    /** From now on, each check takes that long. */
    slow: (ms: number) => (checkMs = ms),
    search: async (store: string, key: string): Promise<number | undefined> => {
      const version = await repeated.versionFor(store, key, async () => {
        asks[store] = (asks[store] ?? 0) + 1
        const version = versions[store] ?? 1
        nowMs += checkMs
        if (version instanceof Error) throw version
        return version
      })
      // A check in the background has ended as well.
      await new Promise(setImmediate)
      return version
    },
  }
}

suite('Answers are kept', () => {
  test('of a search that recurs, once its store has not changed for five seconds', async () => {
    const { search, later, asks } = searched()
    assert.equal(await search('a', 'red'), undefined)
    assert.deepEqual(asks, {}, 'the first one costs nothing')
    assert.equal(await search('a', 'red'), undefined)
    later(4_999)
    assert.equal(await search('a', 'red'), undefined)
    later(1)
    assert.equal(await search('a', 'red'), 1)
    assert.equal(await search('a', 'blue'), undefined)
    assert.equal(await search('a', 'blue'), 1)
    assert.equal(await search('b', 'red'), undefined, 'another store is another search')
  })

  test('not after a change, which every search sees, for five seconds again', async () => {
    const { search, later, asks, versions } = searched()
    for (const ms of [0, 5_000]) {
      await search('a', 'red')
      later(ms)
    }
    assert.equal(await search('a', 'red'), 1)
    later(60_000)
    versions['a'] = 2
    const before = asks['a']!
    assert.equal(await search('a', 'red'), undefined)
    assert.equal(asks['a'], before + 1)
    later(4_000)
    assert.equal(await search('a', 'red'), undefined)
    later(1_000)
    assert.equal(await search('a', 'red'), 2)
  })

  test('never while a store is written, which is checked once a second', async () => {
    const { search, later, asks, versions } = searched()
    for (let at = 0; at < 600; at++) {
      versions['a'] = at
      assert.equal(await search('a', 'red'), undefined)
      later(100)
    }
    assert.ok(asks['a']! <= 60, `${asks['a']} checks in a minute`)
  })

  test('a store that takes long to check is checked less often', async () => {
    const { search, later, slow, asks, versions } = searched()
    slow(500)
    for (let at = 0; at < 600; at++) {
      versions['a'] = at
      await search('a', 'red')
      later(100)
    }
    assert.ok(asks['a']! >= 5 && asks['a']! <= 7, `${asks['a']} checks in a minute`)
  })

  test('whatever another store searches for meanwhile', async () => {
    const { search, later } = searched()
    for (const ms of [0, 5_000]) {
      await search('a', 'red')
      later(ms)
    }
    for (let at = 0; at < 3_000; at++) void search('b', `word ${at}`)
    assert.equal(await search('a', 'red'), 1)
  })

  test('not when the cluster does not say whether the store has changed', async () => {
    const { search, later, versions } = searched()
    for (const ms of [0, 5_000]) {
      await search('a', 'red')
      later(ms)
    }
    versions['a'] = new Error('busy')
    assert.equal(await search('a', 'red'), undefined)
    versions['a'] = 1
    assert.equal(await search('a', 'red'), 1)
  })
})
