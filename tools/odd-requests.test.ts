import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoCatalog, type DemoDocument } from '../packages/server/src/demo/demo-catalog.ts'
import { AisleClient } from './lib/aisle-client.ts'
import { loadBatches } from './lib/bulk-load.ts'
import { HttpClient } from './lib/http-client.ts'
import type { HttpRequest } from './lib/http-client.ts'
import { ServerProcess } from './lib/server-process.ts'
import { readSource } from './lib/source-files.ts'

interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { name: string; in: string; schema?: JsonSchema }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>
  }
}

const api = JSON.parse(readSource('docs/openapi.json').text) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema> }
}

/** They take the store away, take long by design, or never end. */
const LEFT_OUT = new Set([
  'deleteStore',
  'rotateKey',
  'revokePreviousKey',
  'createSnapshot',
  'verifySnapshot',
  'tailEvents',
  'logIn',
])

/** What somebody may send in place of anything. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  '',
  '*',
  '"',
  '\ud800',
  '((((',
  '__proto__',
  'a '.repeat(400),
  [],
  [[]],
  [''],
  [null],
  ['__proto__', 'constructor'],
  {},
  { ['__proto__']: 1 },
  { constructor: { prototype: 1 }, length: 1e9 },
]
const ODD_BODIES = [
  '',
  '{',
  'null',
  '7',
  '[]',
  '"x"',
  '{"__proto__":{"q":1}}',
  '\0',
  '['.repeat(3_000),
]
const ODD_PATHS = ['nope', '%00', '..%2f..', '%ff', 'a'.repeat(300)]

function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolved(api.components.schemas[name]!)
}

/** Something that the schema takes, as far as that is easily said. */
function plain(schema: JsonSchema): unknown {
  const { type, minimum, enum: values, anyOf, properties, required } = resolved(schema)
  if (values !== undefined) return values[0]
  if (anyOf !== undefined) return plain(anyOf[0]!)
  if (type === 'object') {
    return Object.fromEntries(
      (required ?? []).map((name) => [name, plain(properties?.[name] ?? {})]),
    )
  }
  if (type === 'array') return []
  if (type === 'integer' || type === 'number') return minimum ?? 1
  return type === 'boolean' ? true : 'red tent'
}

/** The ends of what is allowed, and what is not at all. */
function valuesFor(schema: JsonSchema): unknown[] {
  const { minimum, maximum, enum: values } = resolved(schema)
  return [minimum, maximum, ...(values ?? []), ...ODD_VALUES].filter((value) => value !== undefined)
}

function* bodiesOf(operation: Operation): Generator<string> {
  const content = operation.requestBody?.content['application/json']
  if (content === undefined) return
  yield* ODD_BODIES
  const schema = resolved(content.schema)
  const base = plain(schema) as object
  yield JSON.stringify(base)
  const { properties = {} } = schema
  // All numbers at their largest together: a large page of large pages.
  const largest = Object.entries(properties).filter(
    ([, one]) => resolved(one).maximum !== undefined,
  )
  yield JSON.stringify({
    ...base,
    ...Object.fromEntries(largest.map(([name, one]) => [name, resolved(one).maximum])),
  })
  for (const [name, property] of Object.entries(properties)) {
    for (const value of valuesFor(property)) yield JSON.stringify({ ...base, [name]: value })
  }
}

function* queriesOf({ parameters = [] }: Operation): Generator<string> {
  yield ''
  yield '?%ff=%00&q'
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query') continue
    for (const value of valuesFor(schema ?? {})) {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      yield `?${name}=${encodeURIComponent(text.replaceAll('\ud800', '?'))}`
    }
  }
}

function* requestsOf(path: string, method: string, operation: Operation): Generator<HttpRequest> {
  const verb = method.toUpperCase() as HttpRequest['method']
  const at = (name: string) => path.replace('{id}', 'shop').replaceAll(/\{\w+\}/g, name)
  for (const query of queriesOf(operation)) yield { method: verb, path: at('x') + query }
  for (const body of bodiesOf(operation)) yield { method: verb, path: at('x'), body }
  if (!/\{(?!id\})/.test(path)) return
  for (const name of ODD_PATHS) yield { method: verb, path: at(name), body: '{}' }
}

async function* linesOf(documents: readonly DemoDocument[]): AsyncGenerator<string> {
  for (const { id, data } of documents) yield JSON.stringify({ ...data, id })
}

test('whatever is sent to any route, the answer is no 5xx, and no thread dies of it', async () => {
  const server = await ServerProcess.start({
    threads: 1,
    environment: { AISLE_LOG_LEVEL: 'fatal' },
  })
  const client = new AisleClient(server.url, { adminToken: server.adminToken })
  const http = new HttpClient(server.url, { timeoutMs: 20_000 })
  try {
    const keys = await client.createStore({ id: 'shop', name: 'Shop' })
    const { schema, documents } = demoCatalog()
    await client.setSchema(keys, schema)
    await loadBatches(client, keys, linesOf(documents.slice(0, 300)), {})
    const store = {
      'x-storeid': 'shop',
      'x-storesecret': keys.readSecret,
      'x-store-write-secret': keys.writeSecret,
    }
    const admin = { authorization: `Bearer ${server.adminToken}` }
    const failures: string[] = []
    let count = 0
    for (const [path, operations] of Object.entries(api.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        if (LEFT_OUT.has(operation.operationId)) continue
        const credentials = path.includes('/admin/') ? admin : store
        const headers = { 'content-type': 'application/json', ...credentials }
        for (const request of requestsOf(path, method, operation)) {
          count++
          const status = await http.send({ ...request, headers }).then(
            (answer) => answer.status,
            (error: unknown) => String(error),
          )
          if (typeof status === 'number' && status < 500) continue
          const body = typeof request.body === 'string' ? request.body : ''
          failures.push(`${status} ${method} ${request.path.slice(0, 120)} ${body.slice(0, 200)}`)
        }
      }
    }
    assert.deepEqual(failures, [])
    assert.ok(count > 2_000, `${count} requests`)
    assert.equal((await http.send({ method: 'GET', path: '/health' })).status, 200)
  } finally {
    http.close()
    client.close()
    await server.stop()
  }
})
