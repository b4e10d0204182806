import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Source } from '../source.ts'
import type { RuleRow } from './rule-columns.ts'
import { faultAt, readRules, rulesCsv } from './rules-table.ts'

const sourceOf = (text: string): Source => {
  const bytes = new TextEncoder().encode(text)
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  return { name: 'rules.csv', format: 'csv', bytes: bytes.length, changedMs: 0, open }
}
const read = (text: string, saved: readonly RuleRow[] = [], isWhole = false) =>
  readRules(sourceOf(text), saved, { isWhole })
const faults = async (text: string, saved?: readonly RuleRow[]): Promise<string[]> => {
  const change = await read(text, saved)
  return change.faults.map(({ row, column, message }) => `${row} ${column}: ${message}`)
}

/** Cells that spreadsheets and parsers stumble over. */
const text = fc.oneof(
  fc.constantFrom(
    '=HYPERLINK("https://evil.example")',
    "'=1+1",
    "''-1",
    '+49',
    '-x',
    '@SUM(A1)',
    '\tx',
    ' a ',
    'a;b',
    '\\;',
    'x\\',
    '"quoted"',
    '{"a":1}',
    'über, größer',
    '日本',
    'a\nb',
    'p: 1',
  ),
  fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }).filter(isWritable),
)
/** Cells that are empty mean absent members; other line ends become those of the file. */
function isWritable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\r') && !value.includes('\0')
}
const optional = { requiredKeys: ['id'] as ['id'] }
const condition = fc
  .record(
    {
      query: text,
      match: fc.constantFrom('exact' as const, 'contains' as const, 'any' as const),
      contexts: fc.array(text, { minLength: 1, maxLength: 2 }),
      filter_by: text,
    },
    { requiredKeys: [] },
  )
  .filter((one) => Object.keys(one).length > 0)
const time = fc.constantFrom('2026-05-01T00:00:00+02:00', '2026-06-01T00:00:00Z')
const rule = fc.record(
  {
    id: fc.stringMatching(/^[a-z]{1,3}$/),
    description: text,
    enabled: fc.boolean(),
    priority: fc.integer({ min: -9, max: 9 }),
    strategy: text,
    when: fc.array(condition, { minLength: 1, maxLength: 3 }),
    schedule: fc.array(
      fc
        .record({ from: time, until: time }, { requiredKeys: [] })
        .filter((one) => Object.keys(one).length > 0),
      { minLength: 1, maxLength: 2 },
    ),
    pin: fc.array(fc.record({ id: text, position: fc.integer({ min: 1, max: 300 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    hide: fc.array(text, { minLength: 1, maxLength: 3 }),
    boost: fc.array(fc.record({ filter_by: text, weight: fc.constantFrom(2, 0.5, 0.001, 1000) }), {
      minLength: 1,
      maxLength: 2,
    }),
    filter_by: text,
    sort_by: fc.oneof(text, fc.array(text, { minLength: 2, maxLength: 3 })),
    replace_query: text,
    remove_words: fc.array(text, { minLength: 1, maxLength: 2 }),
    banner: fc.oneof(text, fc.dictionary(text, text)),
    redirect: fc.oneof(text, fc.record({ url: text })),
    facet_display: fc.record({ order: fc.array(text) }),
    metadata: fc.dictionary(text, fc.jsonValue()),
    exact_match_boost: fc.boolean(),
    semantic: fc.constantFrom('auto' as const, 'on' as const, 'off' as const),
    semantic_weight: fc.constantFrom(0, 0.5, 1),
  },
  optional,
) as unknown as fc.Arbitrary<RuleRow>
const rules = fc.uniqueArray(rule, { selector: ({ id }) => id, maxLength: 5 })

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

suite('a table of rules', () => {
  test('written and read again is the same, whatever its texts', async () => {
    await fc.assert(
      fc.asyncProperty(rules, async (all) => {
        const { put, faults: wrong } = await read(rulesCsv(all))
        assert.deepEqual(wrong, [])
        const expected = all.map((one) => ({
          ...one,
          enabled: one.enabled ?? true,
          priority: one.priority ?? 0,
        }))
        assert.deepEqual(plain(put), plain(expected))
        const again = await read(rulesCsv(all), all, true)
        assert.deepEqual([again.differences, again.unchanged], [[], all.length])
      }),
      { numRuns: 100 },
    )
  })

  test('no cell is a formula', async () => {
    const hostile: RuleRow = { id: 'a', description: '=1+1', hide: ['@x', '+y'], banner: '\t=1' }
    const csv = rulesCsv([hostile])
    assert.match(csv, /"'=1\+1"/)
    assert.doesNotMatch(csv, /"[=+@\t]/)
  })

  test('says what is added, changed and removed, cell by cell', async () => {
    const saved: RuleRow[] = [
      { id: 'a', priority: 5, pin: [{ id: 'p', position: 1 }], metadata: { x: 1 } },
      { id: 'b', hide: ['q'] },
    ]
    const csv = 'id,priority,pin\na,6,1: p\nc,1,2:q\n'
    const change = await read(csv, saved, true)
    assert.deepEqual(change.differences, [
      { id: 'a', verb: 'change', cells: [{ column: 'priority', before: '5', after: '6' }] },
      { id: 'c', verb: 'add', cells: [] },
      { id: 'b', verb: 'remove', cells: [] },
    ])
    // Columns that the file lacks stay as they are.
    assert.deepEqual(change.put, [
      { id: 'a', priority: 6, pin: [{ id: 'p', position: 1 }], metadata: { x: 1 } },
      { id: 'c', priority: 1, pin: [{ id: 'q', position: 2 }] },
    ])
    assert.deepEqual(change.delete, ['b'])
  })

  test('may have semicolons, a byte order mark, flags and days of spreadsheets', async () => {
    const csv = '\uFEFFid;enabled;from;boost\na;FALSE;2026-05-01;"2,5: brand:=Norrby"\n;;;\n'
    assert.deepEqual((await read(csv)).put, [
      {
        id: 'a',
        enabled: false,
        schedule: [{ from: '2026-05-01T00:00:00Z' }],
        boost: [{ filter_by: 'brand:=Norrby', weight: 2.5 }],
      },
    ])
  })

  test('several conditions of a rule are several rows', async () => {
    const csv = 'id,query,match,from,hide\na,tent,contains,2026-05-01T00:00:00Z,p\na,stove,,,\n'
    assert.deepEqual((await read(csv)).put, [
      {
        id: 'a',
        hide: ['p'],
        when: [{ query: 'tent', match: 'contains' }, { query: 'stove' }],
        schedule: [{ from: '2026-05-01T00:00:00Z' }],
      },
    ])
  })
})

suite('faults of a table name row, column and what was expected', () => {
  test('of single cells, all of them', async () => {
    const csv =
      'id,enabled,priority,pin,boost,metadata\na,maybe,1,p-1,,\n,,,,,\nb,,ten,one: p,two,{\n,yes,,,,\n'
    assert.deepEqual(await faults(csv), [
      '2 enabled: must be yes or no',
      '2 pin: must be positions with ids, such as 1: p-100; 3: p-7',
      '4 priority: must be a number, such as 10 or 0.5',
      '4 pin: must be positions with ids, such as 1: p-100; 3: p-7',
      '4 boost: must be weights with filters, such as 2: brand:=Norrby; 0.5: price:>500',
      '4 metadata: must be a JSON object, such as {"title": "Sale"}',
      '5 id: must not be empty',
    ])
  })

  test('of the whole table', async () => {
    assert.match(
      (await faults('name,pins\na,1\n')).join(),
      /1 name: is unknown.*1 pins.*1 id: is missing/,
    )
    assert.match((await faults('id,hide\na,1\nb\n')).join(), /^3 undefined: has 1 cell, but/)
    const apart = 'id,hide\na,1\nb,2\na,3\n'
    assert.match((await faults(apart)).join(), /^4 id: is that of row 2 too/)
    const twice = 'id,hide\na,1\na,2\n'
    assert.deepEqual(await faults(twice), [
      '3 hide: must be empty: only the first row of a rule has it',
    ])
  })

  test('of the service, by its path', async () => {
    const csv = 'id,query,match,boost\na,x,,\nb,tent,,\nb,stove,is,2:colour:=red\n'
    const change = await read(csv)
    const at = (param: string) => {
      const { row, column } = faultAt(change, param, '')!
      return [row, column]
    }
    assert.deepEqual(at('put[1].when[1].match'), [4, 'match'])
    assert.deepEqual(at('put[1].boost[0].filter_by'), [3, 'boost'])
    assert.deepEqual(at('put[0].id'), [2, 'id'])
    assert.equal(faultAt(change, 'delete[0]', ''), undefined)
  })
})
