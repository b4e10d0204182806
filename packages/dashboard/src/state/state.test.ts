import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from './change.ts'
import { addDays, rangeOf } from './date-range.ts'
import { isDraftOutdated } from './draft.ts'
import { Shared } from './shared.ts'
import { readStored, writeStored } from './stored.ts'
import { TOASTS, toast } from './toasts.ts'
import { changed } from './url-state.ts'

const ADDRESS = { name: '', from: '', to: '', compare: '' }

test('a shared value tells its listeners until they leave', () => {
  const shared = new Shared(1)
  const seen: number[] = []
  const leave = shared.subscribe(() => seen.push(shared.value))
  shared.set(2)
  leave()
  shared.set(3)
  assert.deepEqual(seen, [2])
  assert.equal(shared.value, 3)
})

test('toasts disappear in time, those with an undo later, the oldest of many at once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const texts = (): string[] => TOASTS.value.map(({ text }) => text)
  toast('plain')
  toast('undoable', 'good', () => {})
  t.mock.timers.tick(5_000)
  assert.deepEqual(texts(), ['undoable'])
  for (const text of ['1', '2', '3', '4']) toast(text)
  assert.deepEqual(texts(), ['1', '2', '3', '4'])
  t.mock.timers.tick(10_000)
  assert.deepEqual(texts(), [])
})

test('a change is written, followed up, and confirmed, in this order', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const steps: string[] = []
  const result = await perform({
    write: () => Promise.resolve('rule'),
    after: (name) => steps.push(`${name} closed, ${TOASTS.value.length} toasts`),
    done: (name) => `${name} published`,
  })
  assert.equal(result, 'rule')
  assert.deepEqual(steps, ['rule closed, 0 toasts'])
  assert.equal(TOASTS.value.at(-1)?.text, 'rule published')
  assert.equal(TOASTS.value.at(-1)?.undo, undefined)
  t.mock.timers.tick(10_000)
})

test('a change that fails is not confirmed; an undo that fails says so', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const failing = { write: () => Promise.reject(new Error('full')), done: () => 'done' }
  await assert.rejects(perform(failing), /full/)
  assert.equal(TOASTS.value.length, 0)
  await perform({
    write: () => Promise.resolve(1),
    done: () => 'done',
    undo: () => Promise.reject(new Error('gone')),
  })
  TOASTS.value.at(-1)?.undo?.()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(
    TOASTS.value.map(({ text, kind }) => [text, kind]),
    [
      ['done', 'good'],
      ["Couldn't undo", 'bad'],
    ],
  )
  t.mock.timers.tick(10_000)
})

test('changes of the address set and remove parameters, and keep the others', () => {
  const before = new URLSearchParams('q=tent&page=3')
  assert.equal(
    changed(before, { page: undefined, sort: 'price:asc' }).toString(),
    'q=tent&sort=price%3Aasc',
  )
  assert.equal(before.toString(), 'q=tent&page=3')
})

test('a named period ends today', () => {
  const range = rangeOf({ ...ADDRESS, name: '7d' }, '2026-03-02', '30d')
  assert.deepEqual(range, {
    from: '2026-02-24',
    to: '2026-03-02',
    toExclusive: '2026-03-03',
    days: 7,
    name: '7d',
    compare: undefined,
  })
  assert.equal(addDays('2028-02-28', 1), '2028-02-29')
})

test('a custom period wins; an address that makes no sense gets the initial period', () => {
  const custom = { ...ADDRESS, name: '7d', from: '2026-01-31', to: '2026-02-01', compare: 'year' }
  const { days, name, compare } = rangeOf(custom, '2026-03-02', '30d')
  assert.deepEqual([days, name, compare], [2, undefined, 'year'])
  for (const wrong of [
    { name: 'toString' },
    { from: '2026-02-02', to: '2026-02-01' },
    { from: '2026-13-01', to: '2026-13-02' },
    { from: '2026-02-01' },
    { compare: 'none' },
  ]) {
    const range = rangeOf({ ...ADDRESS, ...wrong }, '2026-03-02', '30d')
    assert.deepEqual([range.days, range.name, range.compare], [30, '30d', undefined])
  }
})

test('stored values come back; a full or damaged storage does no harm', () => {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
  }
  assert.equal(readStored(storage, 'density', 'cozy'), 'cozy')
  writeStored(storage, 'density', { rows: 40 })
  assert.deepEqual(readStored<unknown>(storage, 'density', 'cozy'), { rows: 40 })
  items.set('density', '{')
  assert.equal(readStored(storage, 'density', 'cozy'), 'cozy')
  const full = {
    getItem: () => {
      throw new Error('not allowed')
    },
    setItem: () => {
      throw new Error('full')
    },
  }
  writeStored(full, 'density', 1)
  assert.equal(readStored(full, 'density', 2), 2)
})

test('a draft is outdated when saving it would undo an unseen change', () => {
  assert.equal(isDraftOutdated('base', 'mine', 'base'), false)
  assert.equal(isDraftOutdated('base', 'mine', 'theirs'), true)
  assert.equal(isDraftOutdated('base', 'theirs', 'theirs'), false)
  assert.equal(isDraftOutdated('base', 'base', 'theirs'), false)
})
