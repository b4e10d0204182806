import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER } from '@aisle/testing'
import { ADMIN, startNodes } from '../../packages/cluster/src/node/test/started-nodes.ts'
import { runAisle } from '../lib/run-aisle.ts'
import { FrontProxy } from './front-proxy.ts'

const DOCUMENTS = 300
const schema = (isColourSearched: boolean) => ({
  fields: [
    { name: 'title', type: 'string', searchable: true },
    { name: 'colour', type: 'string', facet: true, searchable: isColourSearched },
  ],
})

suite('Commands through a proxy that asks each API node in turn', NEEDS_CLUSTER, () => {
  test('a store is created, filled, and filled again by reindex, without a pause', async () => {
    await using nodes = await startNodes(2)
    await using proxy = await FrontProxy.start(nodes.urls)
    const folder = mkdtempSync(join(tmpdir(), 'aisle-proxied-'))
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const environment: Record<string, string> = {
      AISLE_URL: proxy.url,
      AISLE_STORE: 'shop',
      AISLE_ADMIN_TOKEN: ADMIN,
    }
    const well = async (...words: string[]): Promise<string> => {
      const { exit, out, err } = await runAisle(words, { environment })
      assert.equal(exit, 0, `${words.join(' ')}: ${err}`)
      return out
    }
    try {
      const made = JSON.parse(
        await well('store', 'create', 'Shop', '--id', 'shop', '--json'),
      ) as Record<string, string>
      environment['AISLE_WRITE_SECRET'] = made['write_secret']!
      await well('schema', 'set', file('first.json', JSON.stringify(schema(false))))
      const rows = Array.from({ length: DOCUMENTS }, (_, at) => ({
        id: `d${at}`,
        title: `Lamp ${at}`,
        colour: at % 2 === 0 ? 'red' : 'blue',
      }))
      const lines = rows.map((row) => JSON.stringify(row)).join('\n')
      await well('import', file('documents.ndjson', lines))
      const next = file('second.json', JSON.stringify(schema(true)))
      await well('reindex', '--schema', next, '--no-swap')
      for (let at = 0; at < 3; at++) {
        await well('reindex', '--schema', next, '--restart', '--delete-old')
      }
      const stores = JSON.parse(await well('store', 'list', '--json')) as object[]
      assert.deepEqual(
        stores.map((store) => ({ ...store })['documents' as never]),
        [DOCUMENTS],
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
