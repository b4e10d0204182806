import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { REPOSITORY, ServerProcess } from '@aisle/testing'
import { runAisle } from './lib/run-aisle.ts'

// Goal: an assistant can work with a store, with no more permissions than its key. Method: the
// official client, over standard streams and over HTTP, in the newest protocol revision and in that
// of 2025, against a running service.

let server: ServerProcess
const opened: Client[] = []
const environment: Record<string, string> = { AISLE_STORE: 'shop' }

const READ_TOOLS = [
  'describe_catalog',
  'get_product',
  'list_facet_values',
  'search_products',
  'suggest_queries',
]

/** The answer of any tool. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of any shape
type Answer = Record<string, any>

type Era = 'legacy' | 'auto'

async function over(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  era: Era = 'auto',
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    era === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {},
  )
  opened.push(client)
  await client.connect(transport)
  return client
}

function streams(secret: 'read' | 'write', ...more: string[]): StdioClientTransport {
  const variable = `AISLE_${secret.toUpperCase()}_SECRET`
  return new StdioClientTransport({
    command: join(REPOSITORY, 'packages/cli/bin/aisle'),
    args: ['mcp', ...more],
    env: {
      PATH: process.env['PATH'] ?? '',
      AISLE_URL: server.url,
      AISLE_STORE: 'shop',
      [variable]: environment[variable]!,
    },
  })
}

function http(headers: Readonly<Record<string, string>>): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL('/mcp', server.url), {
    requestInit: { headers: { ...headers } },
  })
}

async function namesOf(client: Client): Promise<string[]> {
  const { tools } = await client.listTools()
  return tools.map(({ name }) => name).toSorted()
}

async function call(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
): Promise<Answer> {
  const answer = await client.callTool({ name, arguments: given })
  assert.notEqual(answer.isError, true, JSON.stringify(answer.content))
  return answer.structuredContent as Answer
}

suite('the tools of a store for assistants', () => {
  before(async () => {
    server = await ServerProcess.start({ threads: 1, environment: { AISLE_MCP: 'true' } })
    Object.assign(environment, { AISLE_URL: server.url, AISLE_ADMIN_TOKEN: server.adminToken })
    const run = async (words: string[], stdin = ''): Promise<string> => {
      const { exit, out, err } = await runAisle(words, { environment, stdin })
      assert.equal(exit, 0, err)
      return out
    }
    const made = JSON.parse(await run(['store', 'create', 'Shop', '--id', 'shop', '--json']))
    environment['AISLE_WRITE_SECRET'] = made.write_secret
    environment['AISLE_READ_SECRET'] = made.read_secret
    const products = [
      { id: '1', title: 'Dome tent', brand: 'Norrby', price: 199, about: 'x'.repeat(900) },
      { id: '2', title: 'Tent pegs', brand: 'Fells', price: 9.5, about: 'y' },
      { id: '3', title: 'Camping stove', brand: 'Norrby', price: 49, about: 'z' },
    ]
    const lines = products.map((product) => JSON.stringify(product)).join('\n')
    const fields = [
      { name: 'title', type: 'string', searchable: true },
      { name: 'brand', type: 'string', facet: true },
      { name: 'price', type: 'float', facet: true, sort: true },
      { name: 'about', type: 'string' },
    ]
    await run(['schema', 'set', '-'], JSON.stringify({ fields }))
    await run(['import', '-'], lines)
  })
  after(async () => {
    // A process that is not closed would keep the test alive.
    await Promise.all(opened.map((client) => client.close()))
    await server.stop()
  })

  for (const era of ['auto', 'legacy'] as const) {
    test(`over standard streams, with the read secret (${era})`, async () => {
      const client = await over(streams('read'), era)
      assert.deepEqual(await namesOf(client), READ_TOOLS)
      await walkReading(client)
    })

    test(`over HTTP, with the read secret (${era})`, async () => {
      const client = await over(http(readHeaders()), era)
      assert.deepEqual(await namesOf(client), READ_TOOLS)
      await walkReading(client)
    })
  }

  test('with the write secret: reports and settings, and changes if enabled', async () => {
    const reading = await over(streams('write'))
    assert.ok(!(await namesOf(reading)).includes('put_rule'))
    assert.equal((await call(reading, 'get_schema'))['fields'].length, 4)
    assert.equal(typeof (await call(reading, 'top_searches'))['from'], 'string')
    assert.equal((await call(reading, 'get_settings'))['language'], 'en')
    assert.equal(typeof (await call(reading, 'search_figures', { from: '2026-01-01' })), 'object')

    const changing = await over(streams('write', '--changes'))
    await call(changing, 'put_synonyms', { synonyms: ['tent', 'bivouac'] })
    await call(changing, 'put_synonyms', { synonyms: ['stove'], root: 'cooker' })
    assert.equal((await call(changing, 'search_products', { query: 'bivouac' }))['found'], 2)
    const rule = { when: [{ query: 'tent' }], pin: [{ id: '3', position: 1 }] }
    const preview = await call(changing, 'preview_rule', { rule, query: 'tent' })
    assert.match(JSON.stringify(preview), /"applied_rules"/)
    await call(changing, 'put_rule', { id: 'tents', rule })
    const { hits } = await call(changing, 'search_products', { query: 'tent' })
    assert.equal(hits[0].id, '3')
    assert.equal((await call(changing, 'list_configuration', { kind: 'rules' }))['items'].length, 1)

    const headers = {
      'x-storeid': 'shop',
      'x-store-write-secret': environment['AISLE_WRITE_SECRET']!,
    }
    assert.ok((await namesOf(await over(http(headers)))).includes('put_rule'))
  })

  test('a key permits no more than in the API, and no other store', async () => {
    const wrong = { 'x-storeid': 'shop', 'x-storesecret': 'rs_wrong' }
    await assert.rejects(over(http(wrong)))
    await assert.rejects(over(http({})))
    const client = await over(http(readHeaders()))
    const refused = await client
      .callTool({ name: 'put_rule', arguments: { id: 'x', rule: {} } })
      .catch((error: Error) => ({ isError: true, content: error.message }))
    assert.equal(refused.isError, true)
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"'
    const response = await fetch(new URL('/mcp', server.url), {
      method: 'POST',
      headers: { ...readHeaders(), 'content-type': 'application/json' },
      body,
    })
    assert.equal(response.status, 400)
  })
})

function readHeaders(): Record<string, string> {
  return { 'x-storeid': 'shop', 'x-storesecret': environment['AISLE_READ_SECRET']! }
}

async function walkReading(client: Client): Promise<void> {
  const catalog = await call(client, 'describe_catalog')
  assert.equal(catalog['documents'], 3)
  assert.match(JSON.stringify(catalog['facets']), /"brand".*"Norrby"/)
  assert.equal(typeof catalog['example'].title, 'string')
  const { found, hits, facets } = await call(client, 'search_products', {
    query: 'tnet',
    filter: 'price:<100',
    sort: 'price:asc',
    facets: 'brand',
  })
  assert.equal(found, 1)
  assert.equal(hits[0].id, '2')
  assert.equal(facets[0].counts?.[0]?.value ?? facets[0].values?.[0]?.value, 'Fells')
  const { hits: long } = await call(client, 'search_products', { query: 'dome' })
  assert.ok(long[0].about.length < 400, 'a hit is brief')
  const product = await call(client, 'get_product', { id: '1' })
  assert.match(JSON.stringify(product), /x{900}/)
  for (const id of ['..', '.', '', '../schema', '%2e%2e/schema', '?x']) {
    const other = await client.callTool({ name: 'get_product', arguments: { id } })
    assert.equal(other.isError, true, `${id} reaches no other route`)
  }
  const values = await call(client, 'list_facet_values', { field: 'brand', beginning: 'nor' })
  assert.match(JSON.stringify(values), /"Norrby"/)
  await call(client, 'suggest_queries', { beginning: 'te' })
  const refused = await client.callTool({
    name: 'search_products',
    arguments: { query: 'tent', filter: 'prise:<5' },
  })
  assert.equal(refused.isError, true)
  assert.match(JSON.stringify(refused.content), /Did you mean `price`/)
}
