import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SizeByTime } from './size-by-time.ts'

suite('A size by the time that it took', () => {
  test('what takes long is halved, to the least, and what is quick doubles, to the most', () => {
    const size = new SizeByTime(100, 2_000)
    const after = (sent: number, tookMs: number): number => {
      size.note(sent, tookMs)
      return size.now
    }
    assert.equal(after(2_000, 4_000), 2_000)
    assert.equal(after(2_000, 6_000), 1_000)
    assert.equal(after(400, 6_000), 200, 'of what was sent')
    assert.equal(after(200, 30_000), 100)
    assert.equal(after(100, 30_000), 100)
    assert.equal(after(100, 500), 200)
    assert.equal(after(150, 3_000), 200)
    for (let quick = 0; quick < 9; quick++) after(2_000, 10)
    assert.equal(size.now, 2_000)
  })

  test('a little that waits for something else says nothing', () => {
    const size = new SizeByTime(100, 2_000)
    size.note(1, 20_000)
    assert.equal(size.now, 2_000)
  })
})
