import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { DOWNLOAD_LIMITS, isUrl } from '../packages/cli/src/import/url-source.ts'
import { CommandLine } from './lib/command-line.ts'
import { PageCommands } from './lib/page-commands.ts'
import { readSource } from './lib/source-files.ts'

const page = new PageCommands('docs/feeds.md')

suite('docs/feeds.md', () => {
  test('the example works as it is shown', async () => {
    const line = await CommandLine.start()
    try {
      const made = await line.well('store', 'create', 'Shop', '--id', 'shop', '--json')
      line.environment['AISLE_WRITE_SECRET'] = made.json()['write_secret']
      const write = (name: string, content: string): string => line.file(name, content)
      const [preview = [], load = [], get = [], search = []] = page.of('sh import', write)
      const previewed = await line.well(...preview)
      assert.match(previewed.err, /is a product feed \(Google Merchant\)/)
      assert.match(previewed.err, /Variants share "item_group_id"/)
      const imported = await line.well(...load)
      assert.match(imported.out, /^3 documents imported/)
      assert.match(imported.err, /Setting "distinct" changed.* each item_group_id/)
      assert.equal((await line.well(...get)).out, page.outputOf('text document'))
      const found = async (): Promise<string> =>
        (await line.well(...search)).out.replace(/ in [\d.]+ ms$/m, '')
      assert.equal(await found(), page.outputOf('text search'))
      // The same products from a URL.
      const server = createServer((_, response) => {
        response
          .setHeader('content-type', 'application/rss+xml')
          .end(gzipSync(page.file('feed.xml')))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const [fetched = []] = page.of('sh url', write)
      const url = `http://127.0.0.1:${port}/products?token=secret`
      const again = await line.well(...fetched.map((word) => (isUrl(word) ? url : word)))
      server.close()
      assert.match(again.out, /^3 documents imported/)
      assert.doesNotMatch(again.out + again.err, /secret/)
      assert.equal(await found(), page.outputOf('text search'))
    } finally {
      await line.stop()
    }
  })

  test('the limits of a download are those of the code', () => {
    const { text } = readSource('docs/feeds.md')
    const { redirectsMax, bytesMax, responseMsMax, totalMsMax } = DOWNLOAD_LIMITS
    for (const row of [
      `| redirects | ${redirectsMax} |`,
      `| size, as received | ${bytesMax.toLocaleString('en-US')} bytes |`,
      `| time until the answer | ${responseMsMax / 1_000} seconds |`,
      `| time for all of it, with the import | ${totalMsMax / 60_000} minutes |`,
    ]) {
      assert.ok(text.includes(row), row)
    }
  })
})
