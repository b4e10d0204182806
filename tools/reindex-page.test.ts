import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, suite, test } from 'node:test'
import { EXIT_CODES } from '../packages/cli/src/index.ts'
import { idOf } from '@aisle/import'
import { CommandLine } from './lib/command-line.ts'
import type { Answer } from './lib/command-line.ts'
import { PageCommands } from './lib/page-commands.ts'

const page = new PageCommands('docs/reindex.md')
let line: CommandLine

const write = (name: string, content: string): string => line.file(name, content)
const aisle = (...words: readonly string[]): Promise<Answer> => line.run(words)
const counts = async () => {
  const { json } = await line.well('store', 'list', '--json')
  const stores = json() as unknown as { store_id: string; documents: number }[]
  return Object.fromEntries(stores.map((one) => [one.store_id, one.documents]))
}
const exported = async () => (await line.well('export')).out.trim().split('\n')

suite('aisle reindex', () => {
  before(async () => {
    line = await CommandLine.start()
    const made = await line.well('store', 'create', 'Shop', '--id', 'shop', '--json')
    Object.assign(line.environment, {
      AISLE_STORE: 'shop',
      AISLE_WRITE_SECRET: made.json()['write_secret'],
    })
  })
  after(() => line.stop())

  test('does what docs/reindex.md shows', async () => {
    for (const words of page.of('sh', write).slice(0, 2)) await line.well(...words)
    await line.well('presets', 'put', 'small', line.file('preset.json', '{"value":{"per_page":1}}'))
    for (const info of ['sh reindex', 'sh again']) {
      const [words = []] = page.of(info, write)
      const { out, err, exit } = await aisle(...words)
      assert.equal(exit, 0, err)
      assert.equal(out, page.outputAfter(info))
    }
    assert.deepEqual(await counts(), { shop: 2 })
    assert.deepEqual((await exported()).toSorted(), [
      '{"id":"1","data":{"title":"Red lamp","price":12.5}}',
      '{"id":"2","data":{"title":"Blue lamp","price":9}}',
    ])
    const settings = (await line.well('settings', 'get')).out
    assert.match(settings, /language: de/)
    assert.match(settings, /popularity_weight: 0.2/)
    assert.match((await line.well('presets', 'list')).out, /small/)
  })

  test('keeps every digit, and all documents after a second swap', async () => {
    const big = '{"id":"a,\\"data\\":x","data":{"title":"Big", "price":1234567890.125}}'
    await line.run(['import', '-'], { stdin: Readable.from([big]) })
    const done = await aisle('reindex', '--json')
    assert.equal(done.exit, 0, done.err)
    assert.deepEqual(JSON.parse(done.out), {
      store: 'shop',
      second: 'shop-next',
      documents: 3,
      documents_before: 3,
      swapped: true,
      deleted: false,
    })
    assert.ok((await exported()).some((one) => one.includes('1234567890.125')))
    assert.deepEqual(await counts(), { shop: 3, 'shop-next': 3 })
    await line.well('store', 'swap', 'shop', 'shop-next')
    assert.equal((await exported()).length, 3)
    assert.equal(idOf('{"id":"a,\\"data\\":x","data":{}}'), 'a,"data":x')
  })

  test('resumes an earlier run, or starts over', async () => {
    const again = await aisle('reindex')
    assert.equal(again.exit, EXIT_CODES.usage.code)
    assert.match(again.err, /"shop-next" exists from an earlier run.*--resume.*--restart/)
    const interrupt = new AbortController()
    const endless = async function* (): AsyncGenerator<Buffer> {
      for (let i = 0; ; i++) {
        if (i === 2_000) interrupt.abort()
        yield Buffer.from(`{"id":"t${i}","title":"Thread"}\n`)
        if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const cut = await line.run(['reindex', '--restart', '--documents', '-'], {
      stdin: Readable.from(endless(), { objectMode: false }),
      interrupt: interrupt.signal,
    })
    assert.equal(cut.exit, EXIT_CODES.incomplete.code, cut.err)
    assert.match(cut.err, /nothing was swapped.*--resume/)
    // One that was deleted from the store meanwhile, and a new one.
    const resumed = await aisle('reindex', '--resume', '--no-swap')
    assert.equal(resumed.exit, 0, resumed.err)
    assert.match(resumed.out, /"shop-next" has 3 documents\. To swap: aisle store swap shop/)
    await line.run(['documents', 'delete', '--filter', 'id:=1'])
    await line.run(['import', '-'], {
      stdin: Readable.from(['{"id":"4","title":"New"}\n{"id":"5","title":"Newer"}']),
    })
    const done = await aisle('reindex', '--resume', '--delete-old')
    assert.equal(done.exit, 0, done.err)
    assert.deepEqual(await counts(), { shop: 4 })
    const ids = (await exported()).map(idOf).toSorted()
    assert.deepEqual(ids, ['2', '4', '5', 'a,"data":x'])
  })

  test('does not swap after an error', async () => {
    const before = await exported()
    const schema = line.file('numbers.json', '{"fields":[{"name":"title","type":"int32"}]}')
    const refused = await aisle('reindex', '--schema', schema, '--map', 'price=')
    assert.equal(refused.exit, EXIT_CODES.incomplete.code)
    assert.match(refused.err, /3 documents: field "title" must be int32/)
    assert.match(refused.err, /refused 4 documents; nothing was swapped/)
    for (const [words, exit, message] of [
      [['--resume', '--restart'], 'usage', /either --resume or --restart/],
      [['--into', 'shop'], 'usage', /must name another store/],
      [['--schema', '/none.yaml'], 'usage', /Cannot read/],
      [['--schema', schema, '--resume'], 'incomplete', /nothing was swapped/],
      [
        ['--resume', '--into', 'none'],
        'usage',
        /"none" does not exist, so there is nothing to resume/,
      ],
      [['--restart', '--set', 'nonsense=1'], 'refused', /nonsense/],
      [['--restart', '--documents', line.file('no.ndjson', '')], 'incomplete', /no documents/],
    ] as const) {
      const answer = await aisle('reindex', ...words)
      assert.equal(answer.exit, EXIT_CODES[exit].code, answer.err)
      assert.match(answer.err, message)
    }
    // An unrelated store is never mistaken for the second one.
    await line.well('store', 'create', 'Other', '--id', 'other')
    const taken = await aisle('reindex', '--into', 'other', '--restart')
    assert.match(taken.err, /"other" was not created by reindex/)
    assert.deepEqual(await exported(), before)
  })
})
