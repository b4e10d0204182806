import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { REPOSITORY } from '@aisle/testing'
import { openBuiltPages, readBuiltPages } from '../../adapters/pages/built-pages.ts'
import { createTestApp, type TestApp } from './test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'aisle-pages-'))
let app: TestApp

before(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Aisle</title>')
  writeFileSync(join(folder, 'assets/index-1a2b.js'), 'plain')
  writeFileSync(join(folder, 'assets/index-1a2b.js.br'), 'brotli')
  writeFileSync(join(folder, 'assets/index-1a2b.js.gz'), 'gzip')
  writeFileSync(join(folder, 'built-from.txt'), 'not for others')
  app = await createTestApp({}, { pages: openBuiltPages(readBuiltPages(folder)) })
})
after(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

suite('the dashboard over HTTP', () => {
  test('every address of it is the page, under a policy without exceptions', async () => {
    for (const url of [
      '/',
      '/first-run',
      '/stores',
      '/stores/shop/rules?tab=x',
      '/stores/shop',
      '/stores/',
      '/people',
      '/people/',
      '/audit',
      '/service',
      '/snapshots',
      '/account',
      '/explorer',
      '/login',
      '/login?next=x',
      '/docs/api',
    ]) {
      const answer = await app.call({ url })
      assert.equal(answer.statusCode, 200, url)
      assert.match(answer.body, /<title>Aisle/)
      assert.equal(answer.headers['cache-control'], 'no-cache')
      const policy = String(answer.headers['content-security-policy'])
      assert.match(policy, /^default-src 'self'; /)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|\*|http/)
    }
  })

  test('pictures come from the hosts of the configuration, and a session knows which', async () => {
    const imageHosts = ['https://images.example.com', 'https://*.example.net']
    const pages = openBuiltPages(readBuiltPages(folder))
    await using shop = await createTestApp({ imageHosts }, { pages })
    const { headers } = await shop.call({ url: '/' })
    assert.match(
      String(headers['content-security-policy']),
      /; img-src 'self' data: blob: https:\/\/images\.example\.com https:\/\/\*\.example\.net; /,
    )
    const session = await shop.logIn('anna@example.com', 'analyst')
    const answer = await shop.call({ url: '/api/v1/admin/session', headers: session })
    assert.deepEqual(answer.json().image_hosts, imageHosts)
  })

  test('the page is sent again only when it has changed', async () => {
    const { headers } = await app.call({ url: '/' })
    const again = await app.call({ url: '/', headers: { 'if-none-match': String(headers.etag) } })
    assert.equal(again.statusCode, 304)
    assert.equal(again.body, '')
  })

  test('files are kept by browsers for good, in the best form that they take', async () => {
    const url = '/assets/index-1a2b.js'
    const forms = [
      ['gzip, deflate, br', 'br', 'brotli'],
      ['br;q=0, gzip', 'gzip', 'gzip'],
      ['identity', undefined, 'plain'],
    ] as const
    for (const [accept, encoding, body] of forms) {
      const answer = await app.call({ url, headers: { 'accept-encoding': accept } })
      assert.equal(answer.headers['content-encoding'], encoding)
      assert.equal(answer.body, body)
      assert.match(String(answer.headers['cache-control']), /immutable/)
      assert.equal(answer.headers['vary'], 'accept-encoding')
    }
  })

  test('every screen of the dashboard has an address that is the page', async () => {
    const routes = readFileSync(
      join(REPOSITORY, 'packages/dashboard/src/screens/routes.ts'),
      'utf8',
    )
    const [, service = ''] = routes.split('  service: [')
    const paths = [
      ...[...service.matchAll(/screen\(\s*'([^']+)'/g)].map(([, path]) => `/${path}`),
      ...[...service.matchAll(/'(\/[^']+)': chunk/g)].map(([, path]) => path!),
    ]
    assert.ok(paths.length > 4, String(paths))
    for (const url of paths) assert.equal((await app.call({ url })).statusCode, 200, url)
  })

  test('an unknown address is the page for a person, and an error for a program', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    for (const url of ['/nowhere', '/admin/x?y=1', '/peoples']) {
      // The errors of `call` are JSON.
      const person = await app.app.inject({ url, headers: { accept } })
      assert.equal(person.statusCode, 404)
      assert.match(person.body, /<title>Aisle/)
      assert.ok(person.headers['content-security-policy'])
      assert.match(String(person.headers['vary']), /accept/)
      const program = await app.call({ url, headers: { accept: '*/*' } })
      assert.deepEqual([program.statusCode, program.json().code], [404, 'route_not_found'])
    }
    for (const [url, status] of [
      ['/v1/nowhere', 404],
      ['/api/v1/nowhere', 404],
      ['/analytics/nowhere', 404],
      ['/assets/index-9z.js', 404],
      ['/favicon.ico', 404],
      ['/nowhere.js', 404],
      ['/api', 404],
      ['/v1/search/', 404],
    ] as const) {
      const answer = await app.call({ url, headers: { accept } })
      assert.deepEqual([answer.statusCode, answer.json().code], [status, 'route_not_found'], url)
    }
    const posted = await app.call({ method: 'POST', url: '/nowhere', headers: { accept } })
    assert.deepEqual([posted.statusCode, posted.json().code], [404, 'route_not_found'])
  })

  test('nothing else of the folder, or of the disk, is there', async () => {
    for (const path of ['index-9z.js', '../built-from.txt', '..%2fbuilt-from.txt', '']) {
      assert.equal((await app.call({ url: `/assets/${path}` })).statusCode, 404, path)
    }
    assert.equal((await app.call({ url: '/nowhere' })).json().code, 'route_not_found')
  })

  test('a build while it runs changes nothing until the next start', async () => {
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Newer</title>')
    rmSync(join(folder, 'assets'), { recursive: true })
    assert.match((await app.call({ url: '/' })).body, /<title>Aisle/)
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding }
      assert.equal((await app.call({ url: '/assets/index-1a2b.js', headers })).statusCode, 200)
    }
  })

  test('without a build its addresses are not there', async () => {
    await using bare = await createTestApp(
      {},
      { pages: openBuiltPages(readBuiltPages(join(folder, 'nowhere'))) },
    )
    assert.equal((await bare.call({ url: '/' })).statusCode, 404)
  })
})
