import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { REPOSITORY, ServerProcess, until } from '@aisle/testing'
import { commandLineReference, EXIT_CODES } from '../packages/cli/src/index.ts'
import { CommandLine } from './lib/command-line.ts'
import type { Answer } from './lib/command-line.ts'
import type { RunOptions } from './lib/run-aisle.ts'
import { readSource } from './lib/source-files.ts'

let line: CommandLine
const aisle = (words: readonly string[], options?: RunOptions): Promise<Answer> =>
  line.run(words, options)
const well = (...words: string[]): Promise<Answer> => line.well(...words)
const file = (name: string, content: string): string => line.file(name, content)

const CSV = [
  'sku,Product Name,Brand,Price,In Stock,Tags,Code,Picture',
  'a1,Dome tent for two,Northfold,199.50,true,tent|camp,00017,https://pictures.example/1',
  'a2,"Mug, enamel",Kettleby,12,false,kitchen,00018,https://pictures.example/2',
  'a3,Family tent,Northfold,329,yes,tent,00019,https://pictures.example/3',
  'a4,Broken price,Northfold,cheap,true,,00020,',
  '',
].join('\n')

suite('every command, against a running service', () => {
  before(async () => {
    line = await CommandLine.start()
  })
  after(() => line.stop())

  test('store create, list, get, rename; key rotate', async () => {
    const made: Record<string, string> = (
      await well('store', 'create', 'My shop', '--id', 'shop', '--json')
    ).json()
    assert.match(made['write_secret'] ?? '', /^ws_/)
    const rotated: Record<string, string> = (
      await well('key', 'rotate', 'shop', 'write', '--grace-seconds', '0', '--json')
    ).json()
    line.environment['AISLE_WRITE_SECRET'] = rotated['secret'] ?? ''
    const old = await aisle(['schema', 'get'], {
      environment: { AISLE_WRITE_SECRET: made['write_secret'] ?? '' },
    })
    assert.equal(old.exit, EXIT_CODES.refused.code)
    assert.match((await well('store', 'list')).out, /^id +name .*\nshop +My shop +0 /)
    await well('store', 'rename', 'shop', 'Outdoor shop')
    assert.match((await well('store', 'get', 'shop')).out, /Outdoor shop/)
    assert.equal((await aisle(['key', 'rotate', 'shop', 'master'])).exit, EXIT_CODES.usage.code)
  })

  test('key list, revoke', async () => {
    const rotated = (await well('key', 'rotate', 'shop', 'read', '--json')).json() as {
      secret: string
    }
    const keys = (await well('key', 'list', 'shop')).out
    assert.ok(keys.includes(rotated.secret))
    assert.match(keys, /^write +\(shown only once\)/m)
    assert.match(keys, /^read +\(previous\)/m)
    assert.equal((await well('key', 'revoke', 'shop', 'read')).out, 'Revoked.\n')
    assert.match((await well('key', 'revoke', 'shop', 'read')).out, /^No replaced secret/)
    assert.doesNotMatch((await well('key', 'list', 'shop')).out, /previous/)
  })

  test('user create, list, role, password, sessions, end-sessions, delete; audit list', async () => {
    const password = 'correct horse battery'
    const create = ['user', 'create', 'ada@example.com', '--role', 'owner']
    const mistyped = await aisle(create, { answers: [password, 'something else'] })
    assert.equal(mistyped.exit, EXIT_CODES.usage.code)
    assert.equal((await aisle(create, { answers: [password, password] })).exit, 0)
    assert.match((await well('user', 'list')).out, /^ada@example.com +owner .* never$/m)
    const login = await fetch(`${line.server.url}/api/v1/admin/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'tests' },
      body: JSON.stringify({ login: 'ada@example.com', password }),
    })
    assert.equal(login.status, 201)
    const [session] = (await well('user', 'sessions', 'ada@example.com', '--json')).json() as {
      session_id: string
    }[]
    assert.match((await well('user', 'sessions', 'ada@example.com')).out, / tests$/m)
    const one = ['--session', session!.session_id]
    const ended = await well('user', 'end-sessions', 'ada@example.com', ...one)
    assert.equal(ended.out, '1 session ended.\n')
    await well('user', 'role', 'ada@example.com', 'analyst')
    const environment = { AISLE_USER_PASSWORD: 'another password' }
    assert.equal((await aisle(['user', 'password', 'ada@example.com'], { environment })).exit, 0)
    assert.match((await well('user', 'end-sessions', 'ada@example.com')).out, /^0 sessions/)
    await well('user', 'delete', 'ada@example.com')
    assert.equal((await well('user', 'list')).out, 'No users.\n')
    for (const wrong of [
      ['user', 'role', 'ada@example.com', 'king'],
      ['user', 'create', 'ada@example.com', '--role', 'owner'],
      ['user', 'create', 'ada@example.com'],
    ]) {
      assert.equal((await aisle(wrong)).exit, EXIT_CODES.usage.code)
    }

    const log = await well('audit', 'list', '--target', 'ada@example.com')
    assert.match(log.out, /admin_token +deleteUser +ada@example.com +done/)
    assert.match(log.out, /ada@example.com +logIn +ada@example.com +done/)
    assert.ok(!log.out.includes(password))
    const page = await well('audit', 'list', '--limit', '1', '--action', 'changeUser')
    assert.match(page.err, /^More entries: --before \d+$/m)
    const none = await well('audit', 'list', '--of-store', 'none', '--json')
    assert.deepEqual((none.json() as { entries: unknown[] }).entries, [])
  })

  test('import of a table: preview, guessed schema, refused rows written to a file', async () => {
    const csv = file('products.csv', CSV)
    const columns = ['--map', 'Product Name=title', '--id-column', 'sku']
    const preview = await well('import', csv, ...columns, '--preview')
    assert.match(preview.out, /^title +string +searchable/m)
    assert.match(preview.out, /^code +string/m, 'leading zeros stay')
    assert.equal((await aisle(['import', csv, ...columns])).exit, EXIT_CODES.usage.code)

    const schema = {
      fields: [
        { name: 'title', type: 'string', searchable: true },
        { name: 'brand', type: 'string', searchable: true, facet: true },
        { name: 'price', type: 'float', facet: true, sort: true },
        { name: 'in_stock', type: 'bool', facet: true },
        { name: 'tags', type: 'string[]', facet: true },
        { name: 'code', type: 'string', searchable: true },
      ],
    }
    await well('schema', 'set', file('schema.json', JSON.stringify(schema)))
    assert.match((await well('schema', 'get')).out, /^tags +string\[\] +yes/m)
    const unmapped = await aisle(['import', csv, ...columns])
    assert.match(
      unmapped.err,
      /picture: string \(column "Picture"\)\nUse --unknown add.*--map "column=field"/,
    )
    const imported = await aisle(['import', csv, ...columns, '--map', 'Picture=', '--json'])
    assert.equal(imported.exit, EXIT_CODES.incomplete.code, imported.err)
    const outcome: { imported: number; failed: number; failed_file: string } = imported.json()
    assert.deepEqual([outcome.imported, outcome.failed], [3, 1])
    const failure = JSON.parse(readFileSync(outcome.failed_file, 'utf8')) as Record<string, unknown>
    assert.equal(failure['row'], 4)
    assert.match(String(failure['error']), /column "Price" must be float, received "cheap"/)
    assert.ok(!existsSync(`${csv}.aisle-import`))
  })

  test('a schema is guessed for JSON, which keeps every digit', async () => {
    const made: Record<string, string> = (
      await well('store', 'create', 'Guessed', '--id', 'guessed', '--json')
    ).json()
    const own = {
      environment: { AISLE_STORE: 'guessed', AISLE_WRITE_SECRET: made['write_secret'] ?? '' },
    }
    const json = file(
      'list.json',
      '{"documents": [\n {"id": 1, "n": 9007199254740993, "s": "a, ]\\"b"},\n {"id": 2, "n": 5} ]}',
    )
    const imported = await aisle(['import', json, '--guess-schema', '--action', 'insert'], own)
    assert.equal(imported.exit, 0, imported.err)
    assert.match(imported.err, /^n +int64/m)
    const exported = await aisle(['export'], own)
    assert.match(exported.out, /9007199254740993/)
    assert.equal(exported.out.split('\n').length, 3)
    const again = await aisle(['import', json, '--action', 'insert'], own)
    assert.equal(again.exit, EXIT_CODES.incomplete.code)
    const wrong = await aisle(['store', 'delete', 'guessed'], { answers: ['guessed'] })
    assert.equal(wrong.exit, EXIT_CODES.usage.code, 'the name is asked for, not the id')
    assert.equal((await aisle(['store', 'delete', 'guessed'])).exit, EXIT_CODES.usage.code)
    assert.equal((await aisle(['store', 'delete', 'guessed'], { answers: ['Guessed'] })).exit, 0)
    await well('store', 'create', 'Short', '--id', 'short')
    await well('store', 'delete', 'short', '--confirm', 'Short')
  })

  test('search shows hits with their marks in colour, and no control characters', async () => {
    const found = await aisle(
      ['search', 'tent', '--facet', 'brand', '--sort', 'price:asc', '--fields', 'title,price'],
      {
        environment: { FORCE_COLOR: '1' },
      },
    )
    assert.equal(found.exit, 0, found.err)
    assert.ok(found.out.includes('Dome \u001b[1;33mtent\u001b[22;39m for two'), found.out)
    assert.match(found.out, /Northfold \(2\)/)
    assert.match((await well('search', 'tent')).out, /^2 found in/m)
    const answer: { found: number } = (
      await well('search', '*', '--filter', 'price:<50', '--param', 'typo_max=0', '--json')
    ).json()
    assert.equal(answer.found, 1)
    const evil = '{"id":"evil","data":{"title":"bell\\u0007\\u001b[2J","price":1}}'
    await aisle(['import', '-'], { stdin: evil })
    assert.ok(!(await well('search', 'bell')).out.includes('\u001b'))
    const bad = await aisle(['search', 'tent', '--filter', 'prise:<5', '--json'])
    assert.equal(bad.exit, EXIT_CODES.refused.code)
    assert.equal((JSON.parse(bad.err) as { code: string }).code, 'unknown_field')
  })

  test('documents get, update, delete; export to a file', async () => {
    assert.match((await well('documents', 'get', 'a1')).out, /title: Dome tent for two/)
    const updated = await well(
      'documents',
      'update',
      '{"in_stock": false}',
      '--filter',
      'brand:=Northfold',
    )
    assert.equal(updated.out, '2 documents updated.\n')
    const out = join(line.folder, 'export.ndjson')
    await well('export', '--filter', 'in_stock:=false', '--out', out)
    assert.equal(readFileSync(out, 'utf8').trim().split('\n').length, 3)
    assert.equal(
      (await well('documents', 'delete', '--filter', 'id:=evil')).out,
      '1 document deleted.\n',
    )
    assert.equal((await aisle(['documents', 'delete'])).exit, EXIT_CODES.usage.code)
    assert.equal(
      (await aisle(['documents', 'delete', '--filter', ''])).exit,
      EXIT_CODES.refused.code,
    )
    await well('documents', 'delete', '--all')
    assert.match((await well('import', out)).out, /^3 documents imported/)
  })

  test('suggestions get, set, top', async () => {
    assert.match((await well('suggestions', 'get')).out, /^min_sessions: 1$/m)
    const pinned = 'pinned=[{"query":"gift card","popularity":500}]'
    const set = (await well('suggestions', 'set', 'min_sessions=3', pinned)).out
    assert.match(set, /^min_sessions: 3$/m)
    await well('suggestions', 'set', 'min_networks=2')
    assert.match((await well('suggestions', 'get')).out, /^min_sessions: 3$/m, 'the others stay')
    assert.match((await well('suggestions', 'top', '--limit', '5')).out, /gift card +500/)
    const top = await well('suggestions', 'top', '--typed', 'gif', '--range', '7d', '--json')
    assert.deepEqual((top.json() as { suggestions: unknown }).suggestions, [
      { query: 'gift card', popularity: 500 },
    ])
    for (const words of [
      ['set', 'min_sessions=none'],
      ['top', '--range', '1y'],
    ]) {
      const refused = await aisle(['suggestions', ...words])
      assert.equal(refused.exit, EXIT_CODES.refused.code, words.join(' '))
    }
  })

  test('rules put, preview, get, list, delete; as files, against the service', async () => {
    const yaml = [
      'when:',
      '  - query: mug',
      'pin:',
      '  - {id: a3, position: 1}',
      'schedule:',
      '  - from: 2026-01-01T00:00:00+01:00',
      '',
    ].join('\n')
    const rule = file('mugs.yaml', yaml)
    const preview = await well('rules', 'preview', rule, 'mugs')
    assert.match(
      preview.out,
      /^The rule applies: 2 found instead of 1\.\n.*\n1  a2 {2}Mug, enamel {2}a3 \* {2}Family tent {2}new\n2 +a2 {2}Mug, enamel +down 1\n$/,
    )
    const early = await well('rules', 'preview', rule, 'mugs', '--at', '2025-01-01T00:00:00Z')
    assert.match(early.out, /^The rule does not apply/)
    await well('rules', 'put', 'mugs: first', rule)
    const found: { hits: { id: string; curated?: boolean }[]; applied_rules: string[] } = (
      await well('search', 'mug', '--json')
    ).json()
    assert.deepEqual([found.hits[0]?.id, found.hits[0]?.curated], ['a3', true])
    assert.deepEqual(found.applied_rules, ['mugs: first'])
    assert.match((await well('rules', 'list')).out, /^mugs: first /m)
    assert.match((await well('rules', 'get', 'mugs: first')).out, /^pin:\n {2}- id: a3$/m)

    const path = join(line.folder, 'shop')
    await well('pull', path)
    assert.equal((await well('diff', path)).out, 'No differences.\n')
    writeFileSync(join(path, 'rules', `${encodeURIComponent('mugs: first')}.yaml`), yaml)
    assert.equal((await well('diff', path)).out, 'No differences.\n')
    await aisle(['rules', 'put', 'mugs: first', '-'], { stdin: `enabled: false\n${yaml}` })
    assert.notEqual((await aisle(['diff', path])).out, 'No differences.\n')
    await well('apply', path)
    assert.equal((await well('diff', path)).out, 'No differences.\n')

    // Includes sets of queries. Errors are reported by file, and the rest is applied.
    const queries = join(path, 'query-sets')
    writeFileSync(join(queries, 'head.yaml'), 'queries:\n  - q: mug\n    weight: 3\n')
    assert.equal((await aisle(['diff', path])).out, '+ query-sets/head\n')
    writeFileSync(join(path, 'rules', 'bad.yaml'), 'filter_by: colour:=red\n')
    const partly = await aisle(['apply', path])
    assert.equal(partly.exit, EXIT_CODES.incomplete.code)
    assert.match(partly.err, /^rules\/bad: .*colour/m)
    rmSync(join(path, 'rules', 'bad.yaml'))
    assert.equal((await well('diff', path)).out, 'No differences.\n')
    rmSync(queries, { recursive: true })
    await well('pull', path)
    assert.match(readFileSync(join(queries, 'head.yaml'), 'utf8'), /weight: 3/)
    writeFileSync(join(path, 'rules', 'list.yaml'), '[]')
    writeFileSync(join(path, 'settings.json'), '{')
    const wrong = await aisle(['diff', path])
    assert.equal(wrong.exit, EXIT_CODES.usage.code)
    assert.match(wrong.err, /rules\/list.yaml" must contain an object\n.*settings.*" is /)
    rmSync(join(path, 'rules', 'list.yaml'))
    rmSync(join(path, 'settings.json'))

    const bad = await aisle(['rules', 'put', 'bad', '-'], { stdin: 'filter_by: colour:=red' })
    assert.equal(bad.exit, EXIT_CODES.refused.code)
    assert.match(bad.err, /colour/)
    await well('rules', 'delete', 'mugs: first')
    assert.equal((await aisle(['rules', 'get', 'mugs: first'])).exit, EXIT_CODES.refused.code)
  })

  test('an interrupted import resumes', async () => {
    const lines = Array.from({ length: 1_200 }, (_, i) => `{"id":"r${i}","data":{"title":"row"}}`)
    const path = file('long.ndjson', lines.join('\n'))
    assert.equal((await aisle(['import', path, '--resume'])).exit, EXIT_CODES.usage.code)
    const stat = (await import('node:fs')).statSync(path)
    const mark = { bytes: stat.size, changed_ms: stat.mtimeMs, store: 'shop', rows: 1_000 }
    writeFileSync(`${path}.aisle-import`, JSON.stringify(mark))
    const resumed: { imported: number; skipped: number } = (
      await well('import', path, '--resume', '--json')
    ).json()
    assert.deepEqual([resumed.imported, resumed.skipped], [200, 1_000])
    assert.equal((await aisle(['documents', 'get', 'r0'])).exit, EXIT_CODES.refused.code)
    await well('documents', 'get', 'r1199')
  })

  test('analytics; events rebuild, erase, drop', async () => {
    await well('search', 'tent')
    await until('the search in the reports', async () => {
      const overview = await well('analytics', 'overview', '--interval', 'week', '--json')
      return (overview.json() as { totals: { searches: number } }).totals.searches > 0
    })
    const compared = await well('analytics', 'top-queries', '--compare', 'previous')
    assert.match(compared.out, /tent/)
    assert.match(compared.out, /Before, from/)
    const csv = await well('analytics', 'no-clicks', '--limit', '5', '--csv', '--tags', 'a,b')
    assert.equal(csv.out, '"query","searches","users"\r\n')
    assert.match((await well('events', 'rebuild')).out, /^Read \d+ log entries/)
    assert.match((await well('events', 'erase', '--user', 'nobody')).out, /^0 events/)
    assert.match((await well('events', 'drop', '--before', '2020-01-01')).out, /^Freed 0 B/)
    for (const words of [
      ['analytics', '../settings'],
      ['analytics', 'overview', '--from', 'noon'],
      ['events', 'erase'],
    ]) {
      assert.equal((await aisle(words)).exit, EXIT_CODES.refused.code, words.join(' '))
    }
  })

  test('snapshot create, list, verify, delete; restore; doctor', async () => {
    const made: { name: string; folder: string; documents: number } = (
      await well('snapshot', 'create', '--json')
    ).json()
    assert.equal(made.documents, 203)
    assert.match((await well('snapshot', 'list')).out, /203/)
    await well('snapshot', 'verify', made.name)
    await well('snapshot', 'verify', made.folder)
    const dataDir = join(line.folder, 'restored')
    assert.match(
      (await well('restore', made.folder, '--data-dir', dataDir)).out,
      /203 documents of 1 store, /,
    )
    assert.equal(
      (await aisle(['restore', made.folder, '--data-dir', dataDir])).exit,
      EXIT_CODES.incomplete.code,
    )
    assert.match((await well('doctor', '--data-dir', dataDir)).out, /Stores: 1, with 203 documents/)
    const inUse = await aisle(['doctor', '--data-dir', line.server.dataDir, '--json'])
    assert.equal(inUse.exit, EXIT_CODES.incomplete.code)
    assert.match(inUse.out, /Stop the service first/)
    await well('snapshot', 'delete', made.name)
    assert.equal((await aisle(['snapshot', 'verify', made.name])).exit, EXIT_CODES.refused.code)

    const copy = await ServerProcess.start({ threads: 1, dataDir })
    const environment = { AISLE_URL: copy.url }
    const searched = await aisle(['search', 'tent', '--json'], { environment })
    assert.equal((searched.json() as { found: number }).found, 2)
    await copy.stop()
  })

  test('missing secrets are asked for, and never shown', async () => {
    const environment = { AISLE_ADMIN_TOKEN: '' }
    const none = await aisle(['store', 'list'], { environment })
    assert.equal(none.exit, EXIT_CODES.usage.code)
    const asked = await aisle(['store', 'list'], { environment, answers: [line.server.adminToken] })
    assert.equal(asked.exit, 0)
    assert.ok(!(asked.out + asked.err).includes(line.server.adminToken))
    assert.equal(
      (await aisle(['store', 'list'], { environment, answers: ['wrong'] })).exit,
      EXIT_CODES.refused.code,
    )
  })

  test('errors are written to standard error, with an exit code', async () => {
    const cases: [string[], number][] = [
      [['nonsense'], EXIT_CODES.usage.code],
      [['store'], EXIT_CODES.usage.code],
      [['store', 'create'], EXIT_CODES.usage.code],
      [['store', 'list', '--colour'], EXIT_CODES.usage.code],
      [['search', 'x', '--page', 'two'], EXIT_CODES.usage.code],
      [['import', 'missing.csv'], EXIT_CODES.usage.code],
      [['import', 'catalog.xml'], EXIT_CODES.usage.code],
      [['store', 'get', 'none'], EXIT_CODES.refused.code],
      [['store', 'list', '--url', 'ftp://x'], EXIT_CODES.usage.code],
      [['snapshot', 'create', '--url', 'http://127.0.0.1:9'], EXIT_CODES.unreachable.code],
    ]
    for (const [words, exit] of cases) {
      const result = await aisle(words)
      assert.equal(result.exit, exit, `${words.join(' ')}: ${result.err}`)
      assert.equal(result.out, '')
      assert.notEqual(result.err, '')
      assert.doesNotMatch(result.err, /\n\s+at /)
    }
  })

  test('the script runs from any folder, and starts the service', async () => {
    const run = promisify(execFile)
    const script = join(REPOSITORY, 'packages/cli/bin/aisle')
    const help = await run(script, ['server', '--help'], { cwd: line.folder })
    assert.match(help.stdout, /^Usage: aisle server \[options\]/)
    const environment = {
      ...process.env,
      AISLE_URL: line.server.url,
      AISLE_ADMIN_TOKEN: line.server.adminToken,
    }
    const list = await run(script, ['store', 'list', '--json'], {
      cwd: line.folder,
      env: environment,
    })
    assert.equal((JSON.parse(list.stdout) as unknown[]).length, 1)
    await aisle(['server'])
  })
})

test('docs/cli.md matches the commands (run npm run cli-docs)', async () => {
  const page = readSource('docs/cli.md').text
  assert.equal(page, await commandLineReference())
})
