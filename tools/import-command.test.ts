import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { after, before, suite, test } from 'node:test'
import { EXIT_CODES } from '../packages/cli/src/index.ts'
import { CommandLine } from './lib/command-line.ts'
import type { Answer } from './lib/command-line.ts'
import type { RunOptions } from './lib/run-aisle.ts'

let line: CommandLine
const aisle = (words: readonly string[], options?: RunOptions): Promise<Answer> =>
  line.run(words, options)
const file = (name: string, content: string): string => line.file(name, content)

suite('aisle import, against a running service', () => {
  before(async () => {
    line = await CommandLine.start()
    const made = await line.well('store', 'create', 'Shop', '--id', 'shop', '--json')
    line.environment['AISLE_WRITE_SECRET'] = made.json()['write_secret']
    const fields = [
      { name: 'title', type: 'string', searchable: true },
      { name: 'price', type: 'float' },
    ]
    await line.well('schema', 'set', file('schema.json', JSON.stringify({ fields })))
  })
  after(() => line.stop())

  test('import without ids is refused, and names the column; ragged rows are refused rows', async () => {
    const csv = file(
      'no-ids.csv',
      'Product ID;Product Name;Price\np1;Pin;1\np2;Peg\n;Rope;2\np4;Pole;3;x\n',
    )
    const columns = ['--map', 'Product Name=title', '--keep-going']
    const refused = await aisle(['import', csv, ...columns])
    assert.equal(refused.exit, EXIT_CODES.usage.code)
    assert.match(refused.err, /no column "id"/)
    const mended = file('ids.csv', readFileSync(csv, 'utf8').replace('\n;', '\np3;'))
    assert.match((await aisle(['import', mended])).err, /likeliest is "Product ID".*--generate-ids/)
    const imported = await aisle(['import', csv, ...columns, '--id-column', 'Product ID'])
    assert.equal(imported.exit, EXIT_CODES.incomplete.code)
    assert.match(imported.out, /^1 document imported in .*, 3 refused: see /)
    assert.match(imported.out, /^ {2}2 rows, the first is row 2: the row has 2 cells, the table 3/m)
    assert.match(imported.out, /^ {2}1 row, the first is row 3: column "Product ID" is empty/m)
    assert.match(imported.err, /3 rows were refused/)
    const json = await aisle(['import', '-'], { stdin: '{"sku":"p5","title":"Peg"}' })
    assert.match(json.err, /have no "id".*--id-column "sku"/)
    const taken = await aisle(['import', '-', '--id-column', 'sku'], {
      stdin: Readable.from([Buffer.from('{"sku":"p5","title":"Sm\u00f8r peg"}', 'latin1')]),
    })
    assert.equal(taken.exit, 0, taken.err)
    assert.match(taken.err, /read as windows-1252/)
    assert.match((await line.well('documents', 'get', 'p5')).out, /title: Smør peg/)
    await line.well('import', file('generated.csv', 'title\nPeg\n'), '--generate-ids')
  })

  test('import stops when all rows fail for one reason, or at Ctrl-C', async () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `{"id":"x${i}","colour":"red"}`)
    const path = file('wrong.ndjson', lines.join('\n'))
    const stopped = await aisle(['import', path, '--json', '--unknown', 'refuse'])
    assert.equal(stopped.exit, EXIT_CODES.incomplete.code)
    const figures = JSON.parse(stopped.out) as { failed: number; stopped: boolean }
    // Three batches of 500 rows may be on their way.
    assert.ok(figures.stopped && figures.failed >= 1_000 && figures.failed <= 2_500)
    assert.match(stopped.err, /field \\"colour\\" is not in the schema.*--keep-going/)
    const whole = await aisle(['import', path, '--keep-going', '--unknown', 'refuse'])
    assert.match(whole.out, /^ {2}5,000 rows, the first is row 1: field "colour" is not in/m)
    const from = await aisle(['import', '-', '--keep-going', '--unknown', 'refuse'], { stdin: lines.join('\n') })
    assert.match(from.out, /5,000 refused \(--failed <file> would keep them\)/)
    assert.ok(!existsSync('stdin.failed.ndjson'))

    const ending = new AbortController()
    const endless = async function* (): AsyncGenerator<Buffer> {
      for (let i = 0; ; i++) {
        if (i === 20_000) ending.abort()
        yield Buffer.from(`{"id":"t${i}","title":"Thread"}\n`)
        if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const interrupted = await aisle(['import', '-'], {
      stdin: Readable.from(endless(), { objectMode: false }),
      interrupt: ending.signal,
    })
    assert.equal(interrupted.exit, EXIT_CODES.incomplete.code)
    assert.match(
      interrupted.err,
      /^aisle: Interrupted\. The first [\d,]+ rows are answered and kept/,
    )
  })
})
