import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  RENDERED_PAGES_MAX_BYTES,
  RENDERINGS_PER_SECOND_MAX,
  RENDERINGS_PER_THREAD_MAX,
} from '@aisle/contract'
import { RenderedPages } from './rendered-pages.ts'

suite('rendered pages', () => {
  test('a page is rendered once for all who ask for it, while it is fresh', async () => {
    let nowMs = 0
    let rendered = 0
    const pages = new RenderedPages(() => nowMs)
    const get = () =>
      pages.get('/demo', async () => {
        rendered++
        return `page ${rendered}`
      })
    const both = await Promise.all([get(), get()])
    assert.deepEqual(
      both.map((file) => file?.read('identity').toString()),
      ['page 1', 'page 1'],
    )
    assert.equal((await get())?.etag, both[0]?.etag)
    assert.equal(rendered, 1)
    nowMs += 60_000
    assert.equal((await get())?.read('identity').toString(), 'page 2')
  })

  test('few pages are rendered at a time', async () => {
    const pages = new RenderedPages(() => 0)
    const finish: ((html: string) => void)[] = []
    const start = async (address: string) =>
      await pages.get(address, () => new Promise((resolve) => finish.push(resolve)))
    const begun = Array.from({ length: RENDERINGS_PER_THREAD_MAX }, (_, i) => start(`/${i}`))
    assert.equal(await start('/one-more'), undefined)
    for (const one of finish) one('x')
    await Promise.all(begun)
    const more = start('/one-more')
    finish.at(-1)!('y')
    assert.equal((await more)?.read('identity').toString(), 'y')
  })

  test('few pages are rendered in a second', async () => {
    let nowMs = 5_000
    const pages = new RenderedPages(() => nowMs)
    const get = (i: number) => pages.get(`/${i}`, async () => 'x')
    for (let i = 0; i < RENDERINGS_PER_SECOND_MAX; i++) assert.ok((await get(i)) !== undefined)
    assert.equal(await get(99), undefined)
    assert.ok((await get(0)) !== undefined, 'one that is kept costs nothing')
    nowMs += 1_000
    assert.ok((await get(99)) !== undefined)
  })

  test('a failed rendering is forgotten', async () => {
    const pages = new RenderedPages(() => 0)
    await assert.rejects(async () => pages.get('/', () => Promise.reject(new Error('broken'))))
    assert.equal((await pages.get('/', async () => 'whole'))?.read('identity').toString(), 'whole')
  })

  test('the bytes that are kept are limited, however many pages there are', async () => {
    let nowMs = 0
    const pages = new RenderedPages(() => nowMs)
    let rendered = 0
    const get = (i: number) =>
      pages.get(`/${i}`, async () => {
        rendered++
        return `${i}`.repeat(200_000)
      })
    for (let i = 10; i < 99; i++) {
      nowMs += 100
      await get(i)
      assert.ok(pages.keptBytes <= RENDERED_PAGES_MAX_BYTES)
    }
    await get(98)
    assert.equal(rendered, 89, 'the newest is kept')
    nowMs += 1_000
    await get(70)
    assert.equal(rendered, 90, 'an older one is not')
    await pages.get('/huge', async () => 'x'.repeat(RENDERED_PAGES_MAX_BYTES))
    assert.ok(pages.keptBytes <= RENDERED_PAGES_MAX_BYTES)
  })
})
