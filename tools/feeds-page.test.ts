import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DOWNLOAD_LIMITS } from '../packages/cli/src/import/url-source.ts'
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
      const found = (await line.well(...search)).out.replace(/ in [\d.]+ ms$/m, '')
      assert.equal(found, page.outputOf('text search'))
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
