import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { Compile } from 'typebox/schema'
import { parse } from 'yaml'
import { FIELD_TYPES, OBJECT_TYPES } from '../packages/engine/src/index.ts'
import { commandNames } from '../packages/cli/src/index.ts'
import { CommandLine } from './lib/command-line.ts'
import { readSource } from './lib/source-files.ts'

/** One file of each kind, including rare parts. */
const FILES: Readonly<Record<string, unknown>> = {
  'settings.json': {
    distinct: { field: 'brand', limit: 2 },
    language: 'de',
    ranking: { sort_by: 'price:asc' },
    cors_origins: ['*'],
  },
  'presets/grid.json': {
    value: { per_page: 24, facet_by: ['brand', 'price'], filters: { brand: 'x' } },
  },
  'rules/tents.json': {
    description: 'Tents',
    when: [{ query: 'tent', match: 'contains', contexts: ['web'], filter_by: 'price:>5' }],
    pin: [{ id: '1', position: 1 }],
    hide: ['2'],
    boost: [{ filter_by: 'brand:=x', weight: 2 }],
    facet_display: { order: ['price'], facets: { brand: { pin: ['x'] } } },
    banner: { image: 'https://pictures.example/1', deep: { any: [1, null] } },
    schedule: [{ from: '2026-01-01T00:00:00Z', until: '2027-01-01T00:00:00Z' }],
  },
  'synonym-sets/plain.json': {
    items: [{ synonyms: ['sofa', 'couch'] }, { root: 'a', synonyms: ['b'] }],
  },
  'stopword-sets/plain.json': { stopwords: ['bitte'], default: true },
  'collections/cheap.json': { title: 'Cheap', filter_by: 'price:<50' },
  'query-sets/top.json': { queries: [{ q: 'tent' }] },
}

suite('schemas for editors', () => {
  let line: CommandLine
  let folder = ''
  before(async () => {
    line = await CommandLine.start()
    folder = join(line.folder, 'search')
    const made = await line.well('store', 'create', 'My shop', '--id', 'shop', '--json')
    line.environment['AISLE_WRITE_SECRET'] = (made.json() as { write_secret: string }).write_secret
    const fields = [
      { name: 'title', type: 'string', searchable: true },
      { name: 'brand', type: 'string', facet: true },
      { name: 'price', type: 'float', facet: true, sort: true },
      ...[...FIELD_TYPES, ...OBJECT_TYPES].map((type, i) => ({
        name: `f${i}`,
        type,
        ...(type === 'vector' ? { dimensions: 8 } : {}),
      })),
      { name: 'variants', type: 'object[]' },
      { name: 'variants.color', type: 'string', searchable: true, facet: true, language: 'de' },
      { name: 'specs', type: 'object' },
      { name: 'specs.*', type: 'auto', facet: true, sort: true },
    ]
    await line.well('schema', 'set', line.file('fields.json', JSON.stringify({ fields })))
    const products = line.file('products.jsonl', '{"id":"1","specs":{"wide":1,"box":{"deep":2}}}\n')
    await line.well('import', products)
    assert.match((await line.well('schema', 'get')).out, /specs\.box\.deep +float +yes +yes +specs/)
    await line.well('pull', folder, '--format', 'json')
    for (const [path, value] of Object.entries(FILES)) {
      line.file(join('search', path), JSON.stringify(value))
    }
    await line.well('apply', folder)
  })
  after(() => line.stop())

  for (const format of ['yaml', 'json']) {
    test(`are referenced by each pulled file in ${format}, and accept it`, async () => {
      await line.well('pull', folder, '--format', format, '--schemas')
      const checked = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => !path.startsWith('.schemas') && path.endsWith(format))
        .map((path) => check(path, readFileSync(join(folder, path), 'utf8')))
      assert.deepEqual(new Set(checked), new Set(['schema', 'settings', ...KINDS]))
      assert.match((await line.well('diff', folder)).out, /No differences/)
      const schema = readFileSync(join(folder, `schema.${format}`), 'utf8')
      assert.match(schema, /specs\.\*/)
      assert.doesNotMatch(schema, /specs\.wide|specs\.box/)
    })
  }

  test('are kept by later pulls, and absent otherwise', async () => {
    await line.well('pull', folder)
    assert.match(readFileSync(join(folder, 'settings.yaml'), 'utf8'), /^# yaml-language-server: /)
    rmSync(join(folder, '.schemas'), { recursive: true })
    await line.well('pull', folder)
    assert.doesNotMatch(readFileSync(join(folder, 'settings.yaml'), 'utf8'), /schema/)
    assert.equal(readdirSync(folder).includes('.schemas'), false)
  })

  test('report misspelt names and wrong types', async () => {
    await line.well('pull', folder, '--format', 'json', '--schemas')
    for (const [path, wrong] of [
      ['settings.json', { langauge: 'de' }],
      ['settings.json', { cors_origins: 'x' }],
      ['rules/tents.json', { when: [{ query: 'a', mach: 'exact' }] }],
      ['presets/grid.json', { value: { perpage: 3 } }],
      ['synonym-sets/plain.json', { items: [{ synonyms: 'sofa' }] }],
      ['schema.json', { fields: [{ name: 'a', type: 'text' }] }],
    ] as const) {
      const at = path.includes('/') ? '../' : './'
      const kind = path.split(/[/.]/)[0]!
      const text = JSON.stringify({ $schema: `${at}.schemas/${kind}.json`, ...wrong })
      assert.throws(() => check(path, text), assert.AssertionError, text)
    }
  })

  /** @returns the kind of the file, named like its schema */
  function check(path: string, text: string): string {
    const value = parse(text) as { $schema?: string }
    const [, comment = ''] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text) ?? []
    const named = value.$schema ?? comment
    const schema = JSON.parse(readFileSync(join(folder, path, '..', named), 'utf8')) as object
    const [, errors] = Compile(schema).Errors(value)
    assert.deepEqual(errors, [], `${path}: ${text}`)
    return /(\w[\w-]*)\.json$/.exec(named)![1]!
  }
})

const KINDS = ['collections', 'presets', 'rules', 'synonym-sets', 'stopword-sets', 'query-sets']

test('the GitHub workflow runs existing commands of the current version', async () => {
  const workflow = parse(readSource('examples/settings-in-git.yml').text) as Workflow
  assert.deepEqual(Object.keys(workflow.on), ['pull_request', 'push'])
  const { version } = JSON.parse(readSource('package.json').text) as { version: string }
  const names = await commandNames()
  const ran: string[] = []
  for (const [name, { 'runs-on': machine, steps, if: when }] of Object.entries(workflow.jobs)) {
    assert.ok(machine !== '' && when.includes(name === 'apply' ? 'push' : 'pull_request'))
    for (const { uses, run } of steps) {
      assert.ok((uses === undefined) !== (run === undefined))
      for (const [, of = '', command = ''] of run?.matchAll(/aisle-search@(\S+) (\w+)/g) ?? []) {
        assert.equal(of, version)
        assert.ok(names.includes(command), command)
        ran.push(command)
      }
    }
  }
  assert.deepEqual(ran, ['diff', 'apply'])
  const variables = ['AISLE_URL', 'AISLE_STORE', 'AISLE_WRITE_SECRET']
  assert.deepEqual(Object.keys(workflow.env), variables)
})

interface Workflow {
  readonly on: object
  readonly env: object
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly if: string
        readonly 'runs-on': string
        readonly steps: readonly { readonly uses?: string; readonly run?: string }[]
      }
    >
  >
}
