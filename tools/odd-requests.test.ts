import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpClient, ServerProcess, ThinClient } from '@aisle/testing'
import type { HttpRequest } from '@aisle/testing'
import { demoCatalog, type DemoDocument } from '../packages/server/src/demo/demo-catalog.ts'
import {
  answerProblem,
  ODD_BODIES,
  ODD_PATHS,
  resolved,
  ROUTES,
  valuesFor,
} from './fuzz/open-api.ts'
import type { JsonSchema, Operation, Route } from './fuzz/open-api.ts'
import { loadBatches } from './lib/bulk-load.ts'

/** A value that the schema accepts, for simple schemas. */
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

function* bodiesOf(operation: Operation): Generator<string> {
  const content = operation.requestBody?.content['application/json']
  if (content?.schema === undefined) return
  yield* ODD_BODIES
  const schema = resolved(content.schema)
  const base = plain(schema) as object
  yield JSON.stringify(base)
  const { properties = {} } = schema
  // All numbers at their maximum together: a large page of large pages.
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

/** All reports read the same parameters: each odd query goes to one report in this many. */
const REPORTS_PER_QUERY = 5
const REPORTS = ROUTES.filter(({ operation }) => operation.operationId.startsWith('report'))

function* requestsOf(route: Route): Generator<HttpRequest> {
  const { path, method, operation } = route
  const at = (name: string) => path.replace('{id}', 'shop').replaceAll(/\{\w+\}/g, name)
  const turn = REPORTS.indexOf(route)
  for (const [i, query] of [...queriesOf(operation)].entries()) {
    if (turn >= 0 && i % REPORTS_PER_QUERY !== turn % REPORTS_PER_QUERY) continue
    yield { method, path: at('x') + query }
  }
  for (const body of bodiesOf(operation)) yield { method, path: at('x'), body }
  if (!/\{(?!id\})/.test(path)) return
  for (const name of ODD_PATHS) yield { method, path: at(name), body: '{}' }
}

async function* linesOf(documents: readonly DemoDocument[]): AsyncGenerator<string> {
  for (const { id, data } of documents) yield JSON.stringify({ ...data, id })
}

test('any request to any route gets a declared answer and no 5xx, and crashes no thread', async () => {
  const server = await ServerProcess.start({
    threads: 1,
    environment: { AISLE_LOG_LEVEL: 'fatal' },
  })
  const client = new ThinClient(server.url, { adminToken: server.adminToken })
  const http = new HttpClient(server.url)
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
    for (const route of ROUTES) {
      const credentials = route.path.includes('/admin/') ? admin : store
      const headers = { 'content-type': 'application/json', ...credentials }
      for (const request of requestsOf(route)) {
        count++
        const problem = await http.send({ ...request, headers }).then(
          (answer) => answerProblem(route.operation, answer),
          (error: unknown) => String(error),
        )
        if (problem === undefined) continue
        const body = typeof request.body === 'string' ? request.body : ''
        const { method, path } = request
        failures.push(`${method} ${path.slice(0, 120)} ${body.slice(0, 200)}: ${problem}`)
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
