import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { after, before, suite, test } from 'node:test'
import { EXIT_CODES } from '../packages/cli/src/index.ts'
import { CommandLine } from './lib/command-line.ts'
import type { Answer } from './lib/command-line.ts'
import type { RunOptions } from './lib/run-aisle.ts'

/** A small catalog with the notations that people use in tables. */
const KATALOG = new URL('./fixtures/katalog.csv', import.meta.url)

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

  test('import without ids is refused, naming the column; ragged rows are refused', async () => {
    const csv = file(
      'no-ids.csv',
      'Product ID;Product Name;Price\np1;Pin;1\np2;Peg\n;Rope;2\np4;Pole;3;x\n',
    )
    const columns = ['--map', 'Product Name=title', '--keep-going']
    const refused = await aisle(['import', csv, ...columns])
    assert.equal(refused.exit, EXIT_CODES.usage.code)
    assert.match(refused.err, /no column "id"/)
    const mended = file('ids.csv', readFileSync(csv, 'utf8').replace('\n;', '\np3;'))
    assert.match(
      (await aisle(['import', mended])).err,
      /most likely id column is "Product ID".*--generate-ids/,
    )
    const imported = await aisle(['import', csv, ...columns, '--id-column', 'Product ID'])
    assert.equal(imported.exit, EXIT_CODES.incomplete.code)
    assert.match(imported.out, /^1 document imported in .*, 3 rows refused: see /)
    assert.match(
      imported.out,
      /^ {2}2 rows, first row 2: the row has 2 cells, but the table has 3/m,
    )
    assert.match(imported.out, /^ {2}row 3: id column "Product ID" is empty/m)
    assert.match(imported.err, /3 rows were refused/)
    const json = await aisle(['import', '-'], { stdin: '{"sku":"p5","title":"Peg"}' })
    assert.match(json.err, /have no "id".*--id-column "sku"/)
    const taken = await aisle(['import', '-', '--id-column', 'sku'], {
      stdin: Readable.from([Buffer.from('{"sku":"p5","title":"Sm\u00f8r peg"}', 'latin1')]),
    })
    assert.equal(taken.exit, 0, taken.err)
    assert.match(taken.err, /reading it as windows-1252/)
    assert.match((await line.well('documents', 'get', 'p5')).out, /title: Smør peg/)
    await line.well('import', file('generated.csv', 'title\nPeg\n'), '--generate-ids')
  })

  test('import stops if all rows fail for one reason, or at Ctrl-C', async () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `{"id":"x${i}","colour":"red"}`)
    const path = file('wrong.ndjson', lines.join('\n'))
    const stopped = await aisle(['import', path, '--json', '--unknown', 'refuse'])
    assert.equal(stopped.exit, EXIT_CODES.incomplete.code)
    const figures = JSON.parse(stopped.out) as { failed: number; stopped: boolean }
    // Three batches of 500 rows may be in flight.
    assert.ok(figures.stopped && figures.failed >= 1_000 && figures.failed <= 2_500)
    assert.match(stopped.err, /field \\"colour\\" is not in the schema.*--keep-going/)
    const whole = await aisle(['import', path, '--keep-going', '--unknown', 'refuse'])
    assert.match(whole.out, /^ {2}5,000 rows, first row 1: field "colour" is not in/m)
    const from = await aisle(['import', '-', '--keep-going', '--unknown', 'refuse'], {
      stdin: lines.join('\n'),
    })
    assert.match(from.out, /5,000 rows refused \(use --failed <file> to save them\)/)
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
    assert.match(interrupted.err, /^aisle: Interrupted\. The first [\d,]+ rows are imported/)
  })

  const newStore = async (id: string): Promise<RunOptions> => {
    const made = await line.well('store', 'create', id, '--id', id, '--json')
    return { environment: { AISLE_STORE: id, AISLE_WRITE_SECRET: made.json()['write_secret'] } }
  }

  test('a hand-written file becomes a catalog, and rows with the same id one document', async () => {
    const csv = file('katalog.csv', readFileSync(KATALOG, 'utf8'))
    const preview = await line.well('import', csv, '--preview', '--json')
    const seen: { columns: { column: string; type: string; empty_share: number }[] } =
      preview.json()
    assert.equal(seen.columns.find(({ column }) => column === 'Leer')?.empty_share, 1)
    const shown = await line.well('import', csv, '--preview', '--id-column', 'Artikelnummer')
    assert.match(shown.err, /Read all 8 rows/)
    assert.match(shown.err, /"UVP": 1 of 8 values is not a number.*row 6 "auf Anfrage"/)
    assert.match(shown.err, /1 row has the id of an earlier row.*: "L-002"/)
    assert.match(shown.err, /1 of 8 rows has no "Artikelnummer" \(row 8\).*--generate-ids/)
    const own = await newStore('katalog')
    const imported = await aisle(
      ['import', csv, '--guess-schema', '--id-column', 'Artikelnummer'],
      own,
    )
    assert.match(
      imported.out,
      /^6 documents imported in .* from 7 rows; 1 replaced .*"L-002", 1 row ref/,
    )
    const got = await aisle(['documents', 'get', 'Z-001', '--json'], own)
    assert.deepEqual((got.json() as { data: object }).data, {
      artikelnummer: 'Z-001',
      titel: 'Zweimannzelt Norrby',
      ean: '4006381333931',
      hersteller_nr: '0071',
      preis: 1299,
      currency: 'EUR',
      uvp: '1.499,00',
      gewicht_kg: 3.2,
      bewertung: 4.5,
      lagerbestand: 12,
      verfügbar: true,
      neu: true,
      erschienen: '2025-12-24',
      geliefert: '2025-04-03',
      kategorie: 'Kuppelzelte',
      'kategorie.lvl0': 'Outdoor',
      'kategorie.lvl1': 'Outdoor > Zelte',
      'kategorie.lvl2': 'Outdoor > Zelte > Kuppelzelte',
      main_category: 'Outdoor',
      farben: ['grün', 'grau'],
      beschreibung: 'Steht in fünf Minuten.',
      plz: '01067',
      bild: 'https://bilder.example/z1.jpg',
    })
    const settings = await aisle(['settings', 'get', '--json'], own)
    assert.match(settings.out, /"currency":"currency","category":"main_category"/)
  })

  test('ambiguous values are asked about, or reported with the option', async () => {
    const own = await newStore('ways')
    const csv = file('ways.csv', 'id,price,on\n1,1.299,03/04/2025\n2,2.450,05/06/2025\n')
    const open = await aisle(['import', csv, '--guess-schema'], own)
    assert.equal(open.exit, EXIT_CODES.usage.code)
    assert.match(open.err, /"price".*1\.299 or 1299.*--number-format "price=1\.234,56"/)
    assert.match(open.err, /"on".*--date-format "on=dmy" or --date-format "on=mdy"/)
    const asked = await aisle(['import', csv, '--guess-schema'], { ...own, answers: ['2', '2'] })
    assert.equal(asked.exit, 0, asked.err)
    assert.match(
      (await aisle(['documents', 'get', '1'], own)).out,
      /price: 1299\n {2}on: 2025-03-04/,
    )
    const said = ['--number-format', '1,234.56', '--date-format', 'on=dmy']
    await aisle(['import', csv, ...said], own)
    assert.match(
      (await aisle(['documents', 'get', '1'], own)).out,
      /price: 1.299\n {2}on: 2025-04-03/,
    )
  })

  test('rows without an id are asked about', async () => {
    const own = await newStore('empties')
    const csv = file('empties.csv', 'sku,title\na,Tent\n,Mug\nb,Peg\nc,Rope\n')
    const answered = { ...own, answers: ['y', '2'] }
    const generated = await aisle(['import', csv, '--guess-schema'], answered)
    assert.match(generated.out, /^4 documents imported/, generated.err)
    const stopped = await aisle(['import', csv], { ...own, answers: ['y', '3'] })
    assert.match(stopped.err, /Stopped; nothing was sent/)
  })

  test('fields that the schema lacks are named at once, and added, ignored or refused', async () => {
    const own = await newStore('unknown')
    const csv = file('u1.csv', 'id,title\n1,Tent\n')
    await aisle(['import', csv, '--guess-schema'], own)
    const more = file('u2.csv', 'id,title,Shade,Grip\n1,Tent,dark,cork\n')
    const stopped = await aisle(['import', more], own)
    assert.match(stopped.err, /lacks 2 fields.*\n.*shade: string.*\n.*grip: string/)
    const json = file('u3.ndjson', '{"id":"2","title":"Mug","box":{"w":1},"tint":"red"}\n')
    assert.match((await aisle(['import', json, '--unknown', 'ignore'], own)).out, /^1 document/)
    assert.doesNotMatch((await aisle(['documents', 'get', '2'], own)).out, /tint|box/)
    const refused = await aisle(['import', json, '--unknown', 'refuse'], own)
    assert.match(refused.out, /^0 documents imported.*1 row refused/)
    assert.match((await aisle(['import', more, '--unknown', 'add'], own)).err, /2 fields added/)
    assert.match((await aisle(['documents', 'get', '1'], own)).out, /grip: cork/)
    assert.match((await aisle(['import', json], { ...own, answers: ['1'] })).out, /^1 document/)
    assert.match((await aisle(['documents', 'get', '2'], own)).out, /tint: red/)
  })
})
