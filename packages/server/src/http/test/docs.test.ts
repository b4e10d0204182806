import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { openBuiltPages, readBuiltPages } from '../../adapters/pages/built-pages.ts'
import { openDocumentation } from '../../adapters/pages/documentation.ts'
import { createTestApp, type TestApp } from './test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'aisle-docs-'))
const SECTIONS = [
  { id: 'rules', title: 'Rules', text: 'A rule pins products to the top.' },
  { id: 'rules#banners', title: 'Rules', heading: 'Banners', text: 'A banner above <b>hits</b>.' },
  { id: 'backups', title: 'Operating', heading: 'Backups', text: 'Snapshots hold all data.' },
]
let app: TestApp

before(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), 'home')
  writeFileSync(join(folder, 'rules.html'), 'rules')
  writeFileSync(join(folder, '404.html'), 'nothing here')
  writeFileSync(join(folder, 'assets/app.js'), 'code')
  writeFileSync(join(folder, 'sections.json'), JSON.stringify(SECTIONS))
  app = await createTestApp({}, { documentation: documentation() })
})
after(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

function documentation() {
  return openDocumentation(openBuiltPages(readBuiltPages(folder)))
}

interface Found {
  readonly found: number
  readonly corrected_query?: string
  readonly hits: readonly { document: { id: string }; snippets: Record<string, string> }[]
}

async function find(q: string, from: TestApp = app): Promise<Found> {
  const answer = await from.call({ url: `/docs/find?q=${encodeURIComponent(q)}` })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

suite('the docs over HTTP', () => {
  test('pages have their addresses, and are asked for again only when they changed', async () => {
    const home = await app.call({ url: '/docs' })
    assert.equal(home.statusCode, 302)
    assert.equal(home.headers['location'], '/docs/')
    assert.equal((await app.call({ url: '/docs/' })).body, 'home')
    const page = await app.call({ url: '/docs/rules' })
    assert.equal(page.body, 'rules')
    assert.match(String(page.headers['content-security-policy']), /^default-src 'self'; /)
    const headers = { 'if-none-match': String(page.headers['etag']) }
    assert.equal((await app.call({ url: '/docs/rules', headers })).statusCode, 304)
    const code = await app.call({ url: '/docs/assets/app.js' })
    assert.match(String(code.headers['cache-control']), /immutable/)
  })

  test('what is not a page says so to people', async () => {
    for (const path of ['nothing', 'sections.json', '..%2frules', 'assets', 'constructor']) {
      const answer = await app.app.inject(`/docs/${path}`)
      assert.deepEqual([answer.statusCode, answer.body], [404, 'nothing here'], path)
    }
    assert.equal((await app.call({ url: '/docs/assets/gone.js' })).statusCode, 404)
  })

  test('sections are found by prefix and in spite of typos, with escaped and marked text', async () => {
    const { hits } = await find('bann')
    assert.deepEqual(
      hits.map(({ document }) => document.id),
      ['rules#banners'],
    )
    assert.equal(hits[0]!.snippets['heading'], '<mark>Bann</mark>ers')
    assert.match(hits[0]!.snippets['text']!, /<mark>bann<\/mark>er above &lt;b&gt;hits/)
    const typo = await find('snapshtos')
    assert.equal(typo.corrected_query, 'snapshots')
    assert.equal(typo.hits[0]!.document.id, 'backups')
    assert.equal((await find('x'.repeat(5_000))).found, 0)
    assert.ok((await find('')).found >= 0)
  })

  test('a search of the docs belongs to no store, and costs its address a request', async () => {
    await using limited = await createTestApp(
      { rateLimitPerSecond: 1 },
      { documentation: documentation() },
    )
    const headers = await app.logIn('anna@example.com', 'owner')
    const listed = await app.call({ url: '/api/v1/admin/stores', headers })
    assert.deepEqual(listed.json().stores, [])
    const statuses = new Set<number>()
    for (let i = 0; i < 50; i++) {
      statuses.add((await limited.call({ url: '/docs/find?q=a' })).statusCode)
    }
    assert.deepEqual(statuses, new Set([200, 429]))
  })

  test('without a built site the old address leads to the API reference', async () => {
    await using bare = await createTestApp()
    assert.equal((await bare.call({ url: '/docs' })).headers['location'], '/docs/api')
    assert.equal((await bare.call({ url: '/docs/find?q=a' })).statusCode, 404)
  })
})
