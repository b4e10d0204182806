import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { suite, test } from 'node:test'
import { guessDelimiter } from './delimiter.ts'
import { hasIds, likelyIdColumn } from './document-ids.ts'
import { lineWriter, type RowOptions } from './import-documents.ts'
import { openRows } from './rows.ts'
import type { ReadOptions, Rows } from './rows.ts'
import type { ImportFormat, Source } from './source.ts'

const LATIN = 'id;name\n1;Café crème\n2;Größe 42 – blå\n3;Smörgås €\n'

/** @param names of the fields of the schema */
function lineOf(text: string, options: Partial<RowOptions>, names: readonly string[] = []): string {
  const roles = { searchable: false, facet: false, sort: false }
  const fields = names.map((name) => ({ name, type: 'string' as const, ...roles }))
  const usual = { mapping: new Map(), idColumn: 'id', generateIds: true, listSeparator: '' }
  const write = lineWriter({ fields }, { ...usual, action: undefined, ...options })
  return write({ kind: 'json', text })
}

/** @param isFile can be read again, as a file can; else it is the standard input */
function sourceOf(content: Buffer, format: ImportFormat, isFile: boolean): Source {
  const pieces = (): Readable => {
    const chunks = Array.from({ length: Math.ceil(content.length / 7) }, (_, i) =>
      content.subarray(i * 7, i * 7 + 7),
    )
    return Readable.from(chunks)
  }
  const bytes = isFile ? content.length : Number.NaN
  return { name: 'file', format, bytes, changedMs: 0, open: pieces }
}

async function read(
  content: string | Buffer,
  options: ReadOptions & { format?: ImportFormat; isFile?: boolean } = {},
): Promise<Rows & { values: unknown[] }> {
  const { format = 'csv', isFile = true } = options
  const source = sourceOf(Buffer.from(content as string), format, isFile)
  const rows = await openRows(source, options)
  const values: unknown[] = []
  for await (const row of rows.all) {
    values.push(row.kind === 'json' ? (JSON.parse(row.text) as unknown) : row.cells)
  }
  return { ...rows, values }
}

const NAMES = ['Café crème', 'Größe 42 – blå', 'Smörgås €']
const namesOf = ({ values }: { values: unknown[] }): unknown[] =>
  values.map((value) => (value as Record<string, unknown>)['name'])

/** Windows-1252, which Node's buffers cannot write. */
function windows1252(text: string): Buffer {
  const signs: Readonly<Record<string, number>> = { '€': 0x80, '–': 0x96, '’': 0x92 }
  return Buffer.from([...text].map((character) => signs[character] ?? character.charCodeAt(0)))
}

suite('the encoding of a file', () => {
  const little = Buffer.from(LATIN, 'utf16le')
  const big = Buffer.from(little).swap16()
  const texts: readonly (readonly [string, Buffer])[] = [
    ['utf-8', Buffer.from(LATIN)],
    ['utf-8 with a mark', Buffer.from(`\uFEFF${LATIN}`)],
    ['utf-16le', little],
    ['utf-16le with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), little])],
    ['utf-16be', big],
    ['utf-16be with a mark', Buffer.concat([Buffer.from([0xfe, 0xff]), big])],
    ['windows-1252', windows1252(LATIN)],
  ]
  for (const [label, bytes] of texts) {
    test(`is recognised: ${label}`, async () => {
      for (const isFile of [true, false]) {
        const rows = await read(bytes, { isFile })
        assert.deepEqual(rows.columns, ['id', 'name'])
        assert.deepEqual(namesOf(rows), NAMES)
        assert.equal(rows.encoding.label, label.split(' ')[0])
      }
    })
  }

  test('is recognised in JSON too, and said with an example', async () => {
    const rows = await read(windows1252('{"id":"1","name":"Café"}\n'), { format: 'ndjson' })
    assert.deepEqual(namesOf(rows), ['Café'])
    assert.match(rows.encoding.example ?? '', /Café/)
  })

  test('may be other than UTF-8 for the first time in the last row of a file', async () => {
    const rows = await read(windows1252(`id,name\n${'1,plain\n'.repeat(20_000)}2,Café\n`))
    assert.equal(namesOf(rows).at(-1), 'Café')
  })

  const refused: readonly (readonly [string, Buffer, RegExp])[] = [
    ['Cyrillic', Buffer.from('696c653b0a31203bcfe0ebe0f2eae020f2f3f0', 'hex'), /name its encoding/],
    [
      'Polish',
      Buffer.from([...Buffer.from('id;a\n1;Z'), 0xb3, ...Buffer.from('oty')]),
      /name its encoding/,
    ],
    ['Japanese', Buffer.from('69642c6e0a312c83658393836793f1906c', 'hex'), /name its encoding/],
    [
      'a mixture',
      Buffer.concat([Buffer.from('id\nCafé\n'), windows1252('Café\n')]),
      /partly UTF-8/,
    ],
    ['no text', Buffer.from(Array.from({ length: 1_000 }, (_, i) => i % 256)), /not a text file/],
  ]
  for (const [what, bytes, message] of refused) {
    test(`is refused: ${what}`, async () => {
      await assert.rejects(read(bytes), { kind: 'unreadable', message })
    })
  }

  test('is taken as it is named, and then must be that', async () => {
    const cyrillic = Buffer.from('69640acfe0eb', 'hex')
    const rows = await read(cyrillic, { encoding: 'windows-1251' })
    assert.deepEqual(rows.values, [{ id: 'Пал' }])
    await assert.rejects(read(cyrillic, { encoding: 'utf-8' }), /is not valid utf-8/)
    await assert.rejects(read('id\n', { encoding: 'klingon' }), /is not an encoding/)
  })
})

suite('the delimiter of a table', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a,b\n1,2\n', ','],
    ['a;b\n1,5;2\n1,7;3', ';'],
    ['a\tb\n1\t2', '\t'],
    ['a|b\n1|2\n', '|'],
    ['tags\na|b\n', ','],
    ['"a;b",c\n"1;2;3",4\n', ','],
    ['a;"b\n,,,"\n1;2\n', ';'],
    ['alone', ','],
    ['', ','],
  ]
  for (const [head, delimiter] of cases) {
    test(`of ${JSON.stringify(head)} is ${JSON.stringify(delimiter)}`, () => {
      assert.equal(guessDelimiter(head), delimiter)
    })
  }

  test('is what the file says, or the option', async () => {
    assert.deepEqual((await read('sep=;\r\nid;n\r\n1;a,b\r\n')).values, [{ id: '1', n: 'a,b' }])
    assert.deepEqual((await read('i,d;n\n1;2\n', { delimiter: ';' })).columns, ['i,d', 'n'])
  })

  test('rows with too many or too few cells are told from the others', async () => {
    const { all } = await openRows(sourceOf(Buffer.from('a,b\n1,2\n3\n4,5,6\n'), 'csv', true), {})
    const rows = await Array.fromAsync(all)
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['table', 'ragged', 'ragged'],
    )
    assert.match(JSON.stringify(rows[1]), /has 1 cell, but the table has 2 columns/)
  })

  test('columns are listed, once each', async () => {
    await assert.rejects(read('a,b,a\n1,2,3\n'), /two columns "a"/)
    await assert.rejects(read(''), /no columns/)
  })
})

suite('ids', () => {
  const ids = { idColumn: 'id', generateIds: false }

  test('must be there', async () => {
    const rows = await read('Brand ID,Title,Product ID,SKU\n1,Tent,p1,s1\n1,Mug,p2,s2\n')
    assert.equal(hasIds(rows, 'id'), false)
    assert.equal(hasIds(rows, 'SKU'), true)
    assert.equal(hasIds(rows, 'sku'), false)
    const json = await read('{"asin":"a","n":1}\n{"data":{"asin":"b"}}\n', { format: 'ndjson' })
    assert.equal(hasIds(json, 'id'), false)
    assert.equal(hasIds(json, 'asin'), true)
    const some = await read('{"a":1}\n{"id":1}\n', { format: 'ndjson' })
    assert.equal(hasIds(some, 'id'), true)
  })

  test('are likeliest in a column with such a name and another value in each row', async () => {
    const cases: readonly (readonly [string, string | undefined])[] = [
      ['EAN,Id\n1,2\n', 'Id'],
      ['code,id\n1,2\n2,2\n', 'code'],
      ['parent_id,handle\n1,x\n', 'handle'],
      ['title,price\na,1\n', undefined],
      ['sku,title\n,a\n', undefined],
    ]
    for (const [csv, column] of cases) assert.equal(likelyIdColumn(await read(csv)), column, csv)
  })

  test('of JSON rows may be a field, which keeps its digits', () => {
    const sku = { idColumn: 'sku', generateIds: false }
    const cases: readonly (readonly [string, string])[] = [
      ['{"sku":9007199254740993,"n":1.50}', '{"id":9007199254740993,"data":{"n":1.50}}'],
      ['{"id":"x","sku":"y","n":1}', '{"id":"y","data":{"n":1}}'],
      ['{"action":"insert","data":{"sku":"y"}}', '{"id":"y","action":"insert","data":{}}'],
      ['{"data":5,"sku":"y"}', '{"id":"y","data":{"data":5}}'],
      ['not json', 'not json'],
    ]
    for (const [row, line] of cases) assert.equal(lineOf(row, sku), line)
    assert.equal(lineOf('{"sku":"y"}', sku, ['sku']), '{"id":"y","data":{"sku":"y"}}')
    assert.throws(() => lineOf('{"sku":""}', sku), /has no "sku"/)
    assert.throws(() => lineOf('{"n":1}', ids), { kind: 'row' })
    assert.equal(lineOf('{"n":1}', { ...ids, generateIds: true }), '{"n":1}')
  })
})

suite('the blocks of a table', () => {
  test('hold whole records, however large the table is, and errors say the line', async () => {
    const cell = `"a ""quoted"" cell\nover two lines, ${'x'.repeat(200)}"`
    const csv = `id,text\n${Array.from({ length: 400 }, (_, i) => `${i},${cell}\n`).join('')}`
    const rows = await read(csv)
    assert.equal(rows.values.length, 400)
    assert.equal((rows.values[399] as { id: string }).id, '399')
    assert.match((rows.values[300] as { text: string }).text, /^a "quoted" cell\nover/)
    await assert.rejects(read(`${csv}1,a"b"c\n`), /line 802/)
  })

  test('end at returns alone too, and an unclosed quote is reported', async () => {
    assert.deepEqual((await read('id,n\r1,2\r3,4\r')).values, [
      { id: '1', n: '2' },
      { id: '3', n: '4' },
    ])
    await assert.rejects(read('id,n\n1,"2\n3,4\n'), /Cannot read the table/)
  })
})

suite('the mapping of JSON rows', () => {
  test('renames and leaves out fields, and keeps digits', () => {
    const mapping = new Map([
      ['Name', 'title'],
      ['secret', ''],
    ])
    assert.equal(
      lineOf('{"id":"1","Name":"A","secret":5,"n":1.50}', { mapping }),
      '{"id":"1","title":"A","n":1.50}',
    )
    assert.equal(
      lineOf('{"id":"1","data":{"Name":"A"},"action":"update"}', { mapping }),
      '{"id":"1","data":{"title":"A"},"action":"update"}',
    )
    const nested = new Map([['specs.color', '']])
    assert.equal(
      lineOf(
        '{"id":"1","data":{"specs":[{"color":"red","n":1.50},7],"color":"x"},"action":"update"}',
        { mapping: nested },
      ),
      '{"id":"1","data":{"specs":[{"n":1.50},7],"color":"x"},"action":"update"}',
    )
    assert.equal(lineOf('{"specs":{"color":1}}', { mapping: nested }), '{"specs":{}}')
    assert.equal(lineOf('{"specs":null}', { mapping: nested }), '{"specs":null}')
    assert.equal(lineOf('[1]', { mapping }), '[1]')
    assert.equal(lineOf('not json', { mapping }), 'not json')
  })
})
