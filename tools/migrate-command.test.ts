import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, suite, test } from 'node:test'
import { EXIT_CODES } from '../packages/cli/src/index.ts'
import { CommandLine } from './lib/command-line.ts'
import type { Answer } from './lib/command-line.ts'
import { exactJson, FOREIGN_CATALOGS } from './migrate/foreign-catalogs.ts'
import type { ForeignCatalog } from './migrate/foreign-catalogs.ts'

// Goal: a catalog of another engine becomes a store with the right answers, both from files and
// from a running service. Method: one catalog as exported and served by four engines, in the
// documented wire formats; every resulting file is applied and searched.

let line: CommandLine

suite('aisle migrate, against a running service', () => {
  before(async () => {
    line = await CommandLine.start()
  })
  after(() => line.stop())

  for (const catalog of FOREIGN_CATALOGS) {
    const { engine } = catalog

    test(`an export of ${engine} becomes a store`, async () => {
      const out = join(line.folder, `${engine}-store`)
      const ran = await line.well('migrate', out, '--from', engine, '--files', exported(catalog))
      assert.match(ran.out, /^Written to .*: 3 documents, \d+ fields/)
      const report = readFileSync(join(out, 'report.md'), 'utf8')
      for (const note of catalog.notes) assert.match(report, note)
      assert.doesNotMatch(report, catalog.isQuietOf)
      await fillStore(engine, out)
      await checkStore(engine)
    })

    test(`a running ${engine} gives the same files as its export`, async () => {
      await using service = await serve(catalog)
      const out = join(line.folder, `${engine}-live`)
      const ran = await migrateLive(engine, out, service.url, 'source-key')
      assert.equal(ran.exit, 0, ran.err)
      for (const file of ['schema.yaml', 'documents.ndjson', 'report.md']) {
        assert.equal(
          readFileSync(join(out, file), 'utf8'),
          readFileSync(join(line.folder, `${engine}-store`, file), 'utf8'),
          file,
        )
      }
      const refused = await migrateLive(engine, out, service.url, 'other-key')
      assert.equal(refused.exit, EXIT_CODES.incomplete.code)
      assert.match(refused.err, /returned 403 for/)
    })
  }

  test('missing parts are reported: a file, a service, an id, a schema', async () => {
    const empty = join(line.folder, 'nothing')
    mkdirSync(empty)
    const from = (engine: string, ...words: string[]) =>
      line.run(['migrate', join(line.folder, 'out'), '--from', engine, ...words])
    assert.match((await from('typesense', '--files', empty)).err, /no file ".*collection\.json"/)
    assert.match((await from('solr')).err, /--from must be one of typesense, meilisearch/)
    assert.match((await from('typesense')).err, /Use --files, or --source-url and --index/)
    const gone = ['--source-url', 'http://127.0.0.1:1', '--index', 'x']
    assert.match((await from('meilisearch', ...gone)).err, /does not respond/)
    assert.match((await from('algolia', ...gone)).err, /needs an application id and a key/)
    writeFileSync(join(empty, 'collection.json'), '{"fields":[{"name":"title","type":"string"}]}')
    writeFileSync(join(empty, 'documents.ndjson'), '{"id":"1","title":"a"}\n{"title":"b"}\n')
    assert.match((await from('typesense', '--files', empty)).err, /A document has no "id"/)
    writeFileSync(join(empty, 'collection.json'), '{}')
    assert.match((await from('typesense', '--files', empty)).err, /has no list "fields"/)
  })
})

/** Writes the files of an export. @returns their folder */
function exported({ engine, parts, documents }: ForeignCatalog): string {
  const folder = join(line.folder, `${engine}-export`)
  mkdirSync(folder)
  for (const [part, value] of Object.entries(parts)) {
    writeFileSync(join(folder, `${part}.json`), JSON.stringify(value))
  }
  writeFileSync(join(folder, 'documents.ndjson'), documents.map(exactJson).join('\n'))
  return folder
}

function migrateLive(engine: string, out: string, url: string, key: string): Promise<Answer> {
  const where = ['--source-url', url, '--index', 'products', '--application', 'app']
  return line.run(['migrate', out, '--from', engine, ...where], {
    environment: { AISLE_SOURCE_KEY: key },
  })
}

async function fillStore(engine: string, folder: string): Promise<void> {
  const made = await line.well('store', 'create', engine, '--id', engine, '--json')
  line.environment['AISLE_WRITE_SECRET'] = made.json()['write_secret']
  line.environment['AISLE_STORE'] = engine
  await line.well('apply', folder)
  const imported = await line.well('import', join(folder, 'documents.ndjson'))
  assert.match(imported.out, /^3 documents imported/)
}

/** Answers required of every engine's store. */
async function checkStore(engine: string): Promise<void> {
  const found = async (...words: string[]): Promise<string[]> => {
    const { hits } = (await line.well('search', ...words, '--json')).json() as {
      hits: { id: string }[]
    }
    return hits.map(({ id }) => id)
  }
  const hasRules = engine === 'typesense' || engine === 'algolia'
  const byTent = await found('tent')
  if (hasRules) assert.deepEqual(byTent, ['p3', 'p1'], 'one is pinned, one is hidden')
  else assert.deepEqual(byTent.toSorted(), ['p1', 'p2'])
  // Synonyms, and the word of a nested field.
  assert.deepEqual(await found('cooker'), ['p3'])
  if (engine !== 'opensearch') {
    assert.deepEqual((await found('norrby')).toSorted(), ['p1', 'p3'])
  } else assert.deepEqual(await found('*', '--filter', 'brand.name:=Fells'), ['p2'])
  assert.ok((await found('bivouac')).includes('p1'))
  const place = { algolia: '_geoloc', meilisearch: '_geo' }[engine] ?? 'place'
  const near = await found('*', '--filter', `${place}:(48.85, 2.35, 1 km)`)
  assert.equal(near.length, 3, 'places come over')
  const { out } = await line.well('export', '--filter', 'id:=p1')
  assert.match(out, /"stock":9007199254740993/, 'no digit is lost')
  assert.match(out, /"variants":\[\{"color":"red".*\},\{"color":"green"/)
  assert.match(out, /"brand":\{"name":"Norrby/)
  if (engine === 'algolia') {
    assert.match(out, /"cost":4711/, 'what is hidden comes over')
    const hidden = await line.well('search', 'tent', '--fields', 'cost,title', '--json')
    assert.doesNotMatch(hidden.out, /4711/, 'and no search shows it')
    assert.deepEqual(await found('*', '--param', 'preset_name=defaults'), ['p1', 'p3'])
  }
  if (['typesense', 'opensearch'].includes(engine)) {
    const [red, ...others] = await found('*', '--filter', 'variants:{color:=red && size:=S}')
    assert.deepEqual([red, others], ['p1', []], 'a filter on one element')
  }
}

async function serve(catalog: ForeignCatalog): Promise<{ url: string } & AsyncDisposable> {
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request
    const body = await text(request)
    const answer = catalog.answer({ method, path: url, headers, body })
    if (answer === undefined) {
      response.writeHead(403).end('{"message":"Forbidden"}')
      return
    }
    const { text: raw } = answer as { text?: string }
    response.end(raw ?? exactJson(answer))
  }
  const server = createServer((request, response) => void answerTo(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
