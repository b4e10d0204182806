import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, suite, test } from 'node:test'
import { EXIT_CODES } from '../packages/cli/src/index.ts'
import { runAisle } from './lib/run-aisle.ts'
import type { Ran, RunOptions } from './lib/run-aisle.ts'
import { ServerProcess } from './lib/server-process.ts'

let server: ServerProcess
let folder: string
const environment: Record<string, string> = { AISLE_STORE: 'shop' }

async function aisle(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return runAisle(words, { environment, ...options })
}

/** One that must succeed. */
async function well(...words: string[]): Promise<Ran> {
  const result = await aisle(words)
  assert.equal(result.exit, 0, `${words.join(' ')}: ${result.err}`)
  return result
}

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

suite('aisle import, against a running service', () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'aisle-import-'))
    server = await ServerProcess.start({ threads: 1 })
    environment['AISLE_URL'] = server.url
    environment['AISLE_ADMIN_TOKEN'] = server.adminToken
    const made = await well('store', 'create', 'Shop', '--id', 'shop', '--json')
    const { write_secret: secret } = JSON.parse(made.out) as { write_secret: string }
    environment['AISLE_WRITE_SECRET'] = secret
    const fields = [
      { name: 'title', type: 'string', searchable: true },
      { name: 'price', type: 'float' },
    ]
    await well('schema', 'set', file('schema.json', JSON.stringify({ fields })))
  })
  after(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

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
    assert.match((await well('documents', 'get', 'p5')).out, /title: Smør peg/)
    await well('import', file('generated.csv', 'title\nPeg\n'), '--generate-ids')
  })

  test('import stops when all rows fail for one reason, or at Ctrl-C', async () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `{"id":"x${i}","colour":"red"}`)
    const path = file('wrong.ndjson', lines.join('\n'))
    const stopped = await aisle(['import', path, '--json'])
    assert.equal(stopped.exit, EXIT_CODES.incomplete.code)
    const figures = JSON.parse(stopped.out) as { failed: number; stopped: boolean }
    // One batch may be on its way.
    assert.ok(figures.stopped && figures.failed >= 1_000 && figures.failed <= 1_500)
    assert.match(stopped.err, /field \\"colour\\" is not in the schema.*--keep-going/)
    const whole = await aisle(['import', path, '--keep-going'])
    assert.match(whole.out, /^ {2}5,000 rows, the first is row 1: field "colour" is not in/m)
    const from = await aisle(['import', '-', '--keep-going'], { stdin: lines.join('\n') })
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
