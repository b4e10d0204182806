import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import {
  SOURCE_DIFF_SHOWN_MAX,
  SOURCE_INTERVAL_MIN_SECONDS,
  SOURCE_RUNS_MAX,
  SOURCES_MAX,
} from '@aisle/contract'
import { isUrl } from '../packages/cli/src/import/url-source.ts'
import { DOWNLOAD_LIMITS } from '../packages/sources/src/feed/download.ts'
import { CommandLine } from './lib/command-line.ts'
import { PageCommands } from './lib/page-commands.ts'
import { readSource } from './lib/source-files.ts'

const page = new PageCommands('docs/sources.md')

suite('docs/sources.md', () => {
  test('the example works as it is shown', async () => {
    const line = await CommandLine.start({ AISLE_SOURCE_NETWORKS: '127.0.0.1' })
    let products = page.file('products.csv')
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/csv').end(products)
    })
    try {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const made = await line.well('store', 'create', 'Shop', '--id', 'shop', '--json')
      line.environment['AISLE_WRITE_SECRET'] = made.json()['write_secret']
      const here = (words: readonly string[]): string[] =>
        [...words.join(' ').matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) =>
          isUrl(word) ? `http://127.0.0.1:${port}/products` : (quoted ?? word),
        )
      const write = (name: string, content: string): string => line.file(name, content)
      const [add = [], dry = [], run = [], search = []] = page.of('sh add', write)
      const added = await line.well(...here(add))
      assert.match(added.err, /^Defined a schema of 3 fields/)
      assert.match(added.out, /^Saved source "products", next run \d{4}-/)
      assert.equal((await line.well(...dry)).out, page.outputOf('text dry-run'))
      assert.match((await line.well(...run)).out, /^Wrote: 3 added, 0 changed, 0 removed;/)
      assert.match((await line.well(...search)).out, /2 found/)
      products = page.outputOf('csv next-day')
      const [again = []] = page.of('sh next-day', write)
      assert.equal((await line.well(...again)).out, page.outputOf('text next-day'))
    } finally {
      server.closeAllConnections()
      server.close()
      await line.stop()
    }
  })

  test('its limits are those of the code', () => {
    const { text } = readSource('docs/sources.md')
    const { redirectsMax, bytesMax, silenceMsMax, totalMsMax } = DOWNLOAD_LIMITS
    for (const row of [
      `| sources of a store | ${SOURCES_MAX} |`,
      `| time between two scheduled runs | ${SOURCE_INTERVAL_MIN_SECONDS} seconds |`,
      `| redirects | ${redirectsMax}; none from`,
      `| size, as received | ${bytesMax.toLocaleString('en-US')} bytes |`,
      `| time without data | ${silenceMsMax / 1_000} seconds |`,
      `| time for a run | ${totalMsMax / 3_600_000} hours |`,
      `lists the last ${SOURCE_RUNS_MAX} runs`,
      `shows the first ${SOURCE_DIFF_SHOWN_MAX} documents`,
    ]) {
      assert.ok(text.includes(row), row)
    }
  })
})
