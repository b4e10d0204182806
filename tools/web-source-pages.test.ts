import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import type { SourceConnection } from '@aisle/contract'
import { openReader, SourceNetworks } from '@aisle/sources'
import { pageBlock, pageSource } from './sources/page-block.ts'

const answers = new Map<string, string>()
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
  const answer = answers.get(pathname + (searchParams.get('after') ?? ''))
  response.writeHead(answer === undefined ? 404 : 200).end(answer)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
after(() => server.close())

async function rowsOf(connection: SourceConnection): Promise<unknown[]> {
  const networks = new SourceNetworks(['127.0.0.1'])
  const options = { secrets: { token: 'x' }, networks, idColumn: 'id', owner: 'test' }
  const rows: unknown[] = []
  for await (const batch of (await openReader(connection, options)).readAll(
    AbortSignal.timeout(60_000),
  )) {
    if (batch.kind !== 'rows') continue
    for (const row of batch.rows) rows.push(row.kind === 'json' ? JSON.parse(row.text) : row)
  }
  return rows
}

suite('the examples of the pages of sources on the web work as they are shown', () => {
  test('docs/sources-json-api.md', async () => {
    const page = 'sources-json-api.md'
    const pages = ['json first-page', 'json last-page'].map((name) => pageBlock(page, name))
    answers.set('/api/products', pages[0]!).set('/api/productsc2', pages[1]!)
    const { connection } = pageSource<{ connection: SourceConnection }>(page, {
      url: `${root}/api/products?limit=2`,
    })
    const items = pages.flatMap((text) => (JSON.parse(text) as { data: unknown[] }).data)
    assert.deepEqual(await rowsOf(connection), items)
  })

  test('docs/sources-sitemap.md', async () => {
    const page = 'sources-sitemap.md'
    const path = '/products/dome-tent'
    answers.set('/sitemap.xml', `<urlset><url><loc>${root}${path}</loc></url></urlset>`)
    answers.set(path, pageBlock(page, 'html page'))
    const { connection } = pageSource<{ connection: SourceConnection }>(page, {
      url: `${root}/sitemap.xml`,
    })
    const row = JSON.parse(pageBlock(page, 'json row')) as { link: string }
    assert.deepEqual(await rowsOf(connection), [{ ...row, link: `${root}${path}` }])
  })
})
