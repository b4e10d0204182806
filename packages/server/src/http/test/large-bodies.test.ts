import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { parseExact } from '../../domain/json/json-scan.ts'
import { ADMIN_TOKEN, createTestApp, fillStore, type TestStore } from './test-app.ts'

/**
 * Every route with a JSON body, and every parameter in it, with far more than it takes: a refusal
 * costs the thread little more than reading the JSON.
 */

/** `LARGE_BODIES=90000` fills bodies of a megabyte. */
const COUNT = Number(process.env['LARGE_BODIES'] ?? 4_000)
/**
 * Processor time besides reading the JSON, in milliseconds, and in readings of an object of `COUNT`
 * keys, because machines differ: a refusal takes 1 to 8 ms, which are .5 to 4 readings. A
 * check that visits every key took 10 readings of the settings.
 */
const COST_MIN_MS = 16
const COST_MAX_READINGS = 8
/** Compiling code and collecting garbage may take longer than a request. */
const TRIES_MAX = 60

const numbers = [...Array(COUNT).keys()]
const LIST = JSON.stringify(numbers.map((i) => `v${i}`))
const OBJECT = `{${numbers.map((i) => `"k${i}":1`).join(',')}}`
const OBJECTS = `[${numbers.map((i) => `{"k${i}":1}`).join(',')}]`
const DEEP = `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`
const TEXT = JSON.stringify('x '.repeat(COUNT * 4))
const DIGITS = '9'.repeat(COUNT * 4)

interface Operation {
  readonly requestBody?: { readonly content: Record<string, { readonly schema?: Schema }> }
}
interface Schema {
  readonly $ref?: string
  readonly properties?: Record<string, unknown>
}

const READINGS = 50
const COST_MAX_MS = Math.max(COST_MIN_MS, COST_MAX_READINGS * objectMs())

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shop')
await fillStore(testApp, store)
const { paths, components } = (await testApp.call({ url: '/openapi.json' })).json() as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

function headersOf(path: string, { read, write }: TestStore): Record<string, string> {
  if (path.startsWith('/v1/')) return read
  return path.includes('/admin/') ? { authorization: `Bearer ${ADMIN_TOKEN}` } : write
}

function bodiesFor(schema: Schema): string[] {
  const known =
    schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]
  const names = Object.keys(known?.properties ?? {})
  const worst = names.flatMap((name) =>
    [LIST, OBJECT, OBJECTS, `[${OBJECT}]`, DEEP, TEXT, DIGITS].map(
      (value) => `{"${name}":${value}}`,
    ),
  )
  const repeated = `{${numbers.map(() => `"${names[0] ?? 'a'}":1`).join(',')}}`
  return [OBJECT, LIST, OBJECTS, repeated, ...worst]
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function readingMs(body: string): number {
  const startMs = cpuMs()
  try {
    parseExact(Buffer.from(body))
  } catch {
    // Too deep.
  }
  return cpuMs() - startMs
}

/** Milliseconds of one reading of an object; the processor's clock has ticks of up to 4 ms. */
function objectMs(): number {
  let sum = 0
  for (let i = 0; i < READINGS; i++) sum += readingMs(OBJECT)
  return sum / READINGS
}

suite('a body with far more than a route takes is refused at little cost', () => {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const schema = requestBody?.content['application/json']?.schema
      // Documents and events have limits by bytes: each of their keys may be data.
      if (schema === undefined || /documents|analytics|\/v1\/b|mcp/.test(path)) continue
      const url = path.replace('{id}', store.id).replaceAll(/\{[^}]+\}/g, 'x')
      test(`${method.toUpperCase()} ${path}`, async () => {
        const headers = { 'content-type': 'application/json', ...headersOf(path, store) }
        for (const body of bodiesFor(schema)) {
          let costMs = Infinity
          for (let i = 0; i < TRIES_MAX && costMs > COST_MAX_MS; i++) {
            const startMs = cpuMs()
            const answer = await testApp.call({
              method: method.toUpperCase() as 'POST',
              url,
              headers,
              body,
            })
            costMs = cpuMs() - startMs - readingMs(body)
            const about = `${body.slice(0, 40)}: ${answer.body.slice(0, 200)}`
            assert.ok(answer.statusCode < 500, about)
            // Some lists may be as long as this one.
            if (answer.statusCode < 400) costMs = 0
            else assert.ok(answer.body.length < 20_000, about)
          }
          assert.ok(costMs <= COST_MAX_MS, `${body.slice(0, 40)} costs ${costMs} ms`)
        }
      })
    }
  }
})

suite('a document with more keys than any schema has fields', () => {
  const keys = Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`).join(',')
  const documents = {
    'in its data': `{"id":"many","data":{"title":"x",${keys}}}`,
    'in an object of its data': `{"id":"many","data":{"title":"x","specs":{${keys}}}}`,
    'next to its data': `{"id":"many","data":{"title":"x"},${keys}}`,
  }
  const headers = { 'content-type': 'application/json', ...store.write }
  const base = `/api/v1/stores/${store.id}/documents`

  // It took 90 to 165 ms, and 400 where a pattern would have added the fields.
  for (const [where, body] of Object.entries(documents)) {
    test(`${where} is refused before they are read`, async () => {
      let costMs = Infinity
      for (let i = 0; i < TRIES_MAX && costMs > COST_MAX_MS; i++) {
        const startMs = cpuMs()
        const answer = await testApp.call({ method: 'POST', url: base, headers, body })
        costMs = cpuMs() - startMs - readingMs(body)
        assert.deepEqual([answer.statusCode, answer.json().code], [400, 'invalid_parameter'])
        assert.match(answer.json().error, /more than 5000 keys; the first one is `\w+`/)
      }
      assert.ok(costMs <= COST_MAX_MS, `${costMs} ms`)
    })
  }

  test('is refused in a bulk, without the entries beside it', async () => {
    const few = '{"id":"few","data":{"title":"x"}}'
    const body = `[${few},${Object.values(documents).join(',')},${few}]`
    const answer = await testApp.call({ method: 'POST', url: `${base}/bulk`, headers, body })
    const results = answer.json().results as { code: number }[]
    assert.deepEqual(
      [answer.statusCode, results.map(({ code }) => code)],
      [207, [201, 400, 400, 400, 200]],
    )
    assert.match(answer.body, /more than 5000 keys/)
  })
})
