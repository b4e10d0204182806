import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { after, before, suite, test } from 'node:test'
import { runCommandLine } from '../run-command-line.ts'

/**
 * A store that keeps whatever it is given, by name: the part of the service that these commands
 * talk to, in so few lines that what arrives can be looked at.
 */
const kept = new Map<string, Record<string, Record<string, unknown>>>([
  ['collections', {}],
  ['presets', {}],
  ['strategies', {}],
  ['rules', {}],
  ['synonym-sets', {}],
  ['stopword-sets', {}],
  ['query-sets', {}],
])
const SETTINGS: Record<string, unknown> = {
  language: 'de',
  version: 1,
  product_card: { title: 'title', brand: 'maker' },
  guessed: ['title'],
  quota: { searches_per_month: null, searches_used: 5, resets_at: 'soon' },
  analysis: { state: 'ready' },
}
let settings = SETTINGS
let fields = [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }]

const fake = createServer((request, response) => {
  void (async () => {
    const [, , , , , kind = '', name = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
    const body = request.method === 'GET' || request.method === 'DELETE' ? {} : await json(request)
    const answer = respond(request.method ?? '', kind, name, body as Record<string, unknown>)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { error: 'not there', code: 'preset_not_found' }))
  })()
})

function respond(
  method: string,
  kind: string,
  name: string,
  body: Record<string, unknown>,
): unknown {
  // Of the documents that are looked up, there is one.
  if (kind === '') return { hits: [{ id: '1', document: { name: 'Dome tent' } }] }
  if (kind === 'schema') {
    if (method === 'POST') fields = [...fields, ...(body['fields'] as typeof fields)]
    return { fields, fields_added: [], fields_unchanged: [] }
  }
  if (kind === 'settings')
    return method === 'PATCH' ? (settings = { ...settings, ...body }) : settings
  const named = kept.get(kind)!
  const key = kind === 'rules' ? 'id' : 'name'
  if (name === '') {
    const all = Object.entries(named).map(([one, value]) => ({ [key]: one, ...value }))
    return { [kind.replace('-', '_')]: all }
  }
  const present = named[name]
  if (method === 'PUT') return (named[name] = { ...body, default: body['default'] ?? false })
  if (method === 'DELETE') delete named[name]
  return present === undefined ? undefined : { [key]: name, ...present }
}

let url = ''
let folder = ''

async function aisle(
  words: readonly string[],
  stdin = '',
): Promise<{ exit: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const exit = await runCommandLine(words, {
    environment: { AISLE_URL: url, AISLE_STORE: 'shop', AISLE_WRITE_SECRET: 'ws_fake' },
    stdin: Readable.from([Buffer.from(stdin)]),
    out: { write: (text) => void (out += text), isTerminal: false },
    err: { write: (text) => void (err += text), isTerminal: false },
    now: () => 0,
    ask: undefined,
    pause: () => Promise.resolve(),
    onInterrupt: () => () => undefined,
    startService: () => Promise.resolve(),
  })
  return { exit, out, err }
}

suite('what a store keeps by name', () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'aisle-named-'))
    await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`
  })
  after(() => {
    fake.close()
    fake.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  const groups: readonly (readonly [string, string])[] = [
    ['collections', 'collections'],
    ['presets', 'presets'],
    ['rules', 'rules'],
    ['strategies', 'strategies'],
    ['synonyms', 'synonym-sets'],
    ['stopwords', 'stopword-sets'],
  ]
  for (const [group, kind] of groups) {
    test(`${group}: list, get, put, delete`, async () => {
      assert.match((await aisle([group, 'list'])).out, /^No /)
      const put = await aisle([group, 'put', 'summer / sale', '-'], 'value:\n  per_page: 24\n')
      assert.equal(put.exit, 0, put.err)
      assert.deepEqual(kept.get(kind)?.['summer / sale'], {
        value: { per_page: 24 },
        default: false,
      })
      assert.match((await aisle([group, 'list'])).out, /summer \/ sale/)
      assert.match((await aisle([group, 'get', 'summer / sale'])).out, /per_page: 24/)
      assert.equal((await aisle([group, 'put', 'x', '-'], '[1]')).exit, 2)
      assert.equal((await aisle([group, 'put', 'x', '-'], '{"a')).exit, 2)
      assert.equal((await aisle([group, 'delete', 'summer / sale'])).exit, 0)
      assert.equal((await aisle([group, 'get', 'summer / sale'])).exit, 3)
    })
  }

  test('settings get and set', async () => {
    const set = await aisle([
      'settings',
      'set',
      'language=de',
      'cors_origins=["https://shop.example"]',
    ])
    assert.equal(set.exit, 0, set.err)
    assert.deepEqual(settings['cors_origins'], ['https://shop.example'])
    assert.match((await aisle(['settings', 'get'])).out, /^language: de$/m)
    assert.equal((await aisle(['settings', 'set', 'language'])).exit, 2)
  })

  test('settings set takes names as the documentation writes them', async () => {
    const set = await aisle([
      'settings',
      'set',
      'ranking.popularity_weight',
      '0.2',
      'ranking.field_weights.size.eu=3',
      'quota={"searches_per_month":null}',
    ])
    assert.equal(set.exit, 0, set.err)
    assert.deepEqual(settings['ranking'], {
      popularity_weight: 0.2,
      field_weights: { 'size.eu': 3 },
    })
    assert.deepEqual(settings['quota'], { searches_per_month: null })
    const missing = await aisle(['settings', 'set', 'ranking.popularity_weight'])
    assert.equal(missing.exit, 2)
    assert.match(missing.err, /ranking\.popularity_weight=value/)
  })

  test('rules are listed by what they say, and pins of nothing are warned of', async () => {
    const rule = {
      when: [{ query: 'tent' }, { match: 'any', contexts: ['home'] }],
      priority: 5,
      enabled: false,
      pin: [
        { id: '1', position: 1 },
        { id: '2', position: 2 },
      ],
      boost: [{ filter_by: 'brand:=X', weight: 0.5 }],
      banner: 'Sale',
    }
    const put = await aisle(['rules', 'put', 'tents', '-'], JSON.stringify(rule))
    assert.equal(put.exit, 0)
    assert.equal(put.err, 'Warning: The store has no document "2", which the rule pins.\n')
    const { out } = await aisle(['rules', 'list'])
    assert.match(
      out,
      /^tents +no +5 +"tent" or any, in home +pins 1: 1 "Dome tent", 2: 2 \(not found\); buries brand:=X × 0\.5; banner Sale$/m,
    )
    await aisle(['rules', 'delete', 'tents'])
  })

  test('pull, diff and apply', async () => {
    const path = join(folder, 'shop')
    settings = SETTINGS
    await aisle(['presets', 'put', 'home/page', '-'], '{"value":{"per_page":12}}')
    await aisle(
      ['rules', 'put', 'pin-tent', '-'],
      '{"pin":[{"id":"1","position":1}],"enabled":true}',
    )
    assert.equal((await aisle(['pull', path])).exit, 0)
    assert.match(readFileSync(join(path, 'presets', 'home%2Fpage.yaml'), 'utf8'), /per_page: 12/)
    assert.equal(
      readFileSync(join(path, 'settings.yaml'), 'utf8'),
      'language: de\nproduct_card:\n  brand: maker\nquota:\n  searches_per_month: null\n',
      'nothing that is counted, dated or guessed',
    )
    assert.equal((await aisle(['diff', path])).out, 'No differences.\n')

    // A person writes less than the service keeps: that is not a difference.
    writeFileSync(join(path, 'rules', 'pin-tent.yaml'), 'pin:\n  - {id: "1", position: 1}\n')
    writeFileSync(join(path, 'presets', 'new.json'), '{"value":{"typo_max":0}}')
    writeFileSync(
      join(path, 'schema.yaml'),
      'fields:\n  - {name: title, type: string, searchable: true}\n  - {name: price, type: float}\n',
    )
    await aisle(['presets', 'put', 'old', '-'], '{"value":{}}')
    await aisle(['settings', 'set', 'language=fr'])
    const diff = await aisle(['diff', path])
    assert.equal(diff.exit, 5)
    assert.deepEqual(
      diff.out.split('\n').filter((line) => /^\S/.test(line)),
      ['+ schema/price', '~ settings/language: fr -> de', '+ presets/new', '- presets/old'],
    )
    await aisle(
      ['rules', 'put', 'sale', '-'],
      '{"boost":[{"filter_by":"x:=1","weight":5}],"hide":["a"],"enabled":true}',
    )
    writeFileSync(
      join(path, 'rules', 'sale.yaml'),
      'boost:\n  - {filter_by: "x:=1", weight: 3}\nhide: [a, b c]\nsort_by: price\n',
    )
    const changed = (await aisle(['diff', path])).out
    assert.match(
      changed,
      /~ rules\/sale\n {4}boost\[0\]\.weight: 5 -> 3\n {4}hide: \["a"\] -> \["a","b c"\]\n {4}sort_by: \(none\) -> price\n/,
    )
    assert.equal((await aisle(['apply', path])).exit, 0)
    assert.equal(settings['language'], 'de')
    assert.deepEqual(Object.keys(kept.get('presets')!), ['home/page', 'old', 'new'])
    assert.equal((await aisle(['apply', path, '--prune'])).exit, 0)
    assert.deepEqual(Object.keys(kept.get('presets')!), ['home/page', 'new'])
    assert.equal((await aisle(['diff', path])).exit, 0)

    writeFileSync(join(path, 'schema.yaml'), 'fields:\n  - {name: title, type: int32}\n')
    const refused = await aisle(['apply', path])
    assert.equal(refused.exit, 5)
    assert.match(refused.err, /"title" is declared differently: --change/)
    writeFileSync(join(path, 'schema.yaml'), 'fields:\n  - {name: title, type: object}\n')
    const impossible = await aisle(['apply', path, '--change'])
    assert.equal(impossible.exit, 5)
    assert.match(impossible.err, /"title" cannot become an object.* aisle reindex/s)

    assert.equal((await aisle(['pull', path, '--format', 'json'])).exit, 0)
    assert.ok(existsSync(join(path, 'presets', 'new.json')))
    assert.ok(!existsSync(join(path, 'presets', 'home%2Fpage.yaml')))
    assert.equal((await aisle(['diff', join(folder, 'nowhere')])).exit, 2)
  })
})
