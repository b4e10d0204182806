import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { HttpClient } from '@aisle/testing'
import { Cluster } from '../../tools/cluster/cluster.ts'
import { RELEASES, type Release } from '../../tools/cluster/distribution.ts'
import { measurePasses } from '../lib/measure.ts'
import { closedLoop } from '../lib/closed-loop.ts'
import { processMs } from '../lib/processor-time.ts'
import { rawPost } from '../lib/raw-request.ts'
import { openSearchIndex, openSearchQuery } from './opensearch-query.ts'
import type { BenchQuery } from '../lib/query-classes.ts'
import type { RivalAnswer, RivalSpec } from './rival.ts'

/**
 * The process of OpenSearch: node opensearch-rival.ts RELEASE SPEC, documents on standard input.
 * One node, one shard, one segment, no replica: the minimal cost of a query there. As its users run
 * it: with documents and highlights in the answers.
 */
const BATCH_BYTES = 5_000_000
const HEAP_MIB = 4_096
const LOOP = { connections: 16, durationMs: 10_000 }

const [release, specFile] = process.argv.slice(2) as [Release, string]
const spec = JSON.parse(readFileSync(specFile, 'utf8')) as RivalSpec
await using cluster = await Cluster.start({
  release,
  nodes: 1,
  heapMib: HEAP_MIB,
  quickStart: false,
})
const http = new HttpClient(cluster.urls[0]!)

const { settings, mappings } = openSearchIndex(spec)
await send('PUT', '/bench', {
  settings: { ...settings, number_of_shards: 1, number_of_replicas: 0, refresh_interval: -1 },
  mappings,
})
const pid = cluster.processes[0]!.pid!
const beforeMs = processMs(pid)
let docCount = 0
let batch = ''
for await (const line of createInterface({ input: process.stdin })) {
  docCount += 1
  batch += `{"index":{}}\n${line}\n`
  if (batch.length >= BATCH_BYTES) await flush()
}
await flush()
await send('POST', '/bench/_forcemerge?max_num_segments=1')
await send('POST', '/bench/_refresh')
const docsPerSecond = docCount / ((processMs(pid) - beforeMs) / 1_000)
const { _all } = (await send('GET', '/bench/_stats/store,docs')) as {
  _all: { primaries: { docs: { count: number }; store: { size_in_bytes: number } } }
}
const { docs, store } = _all.primaries
if (docs.count !== docCount) throw new Error(`OpenSearch has ${docs.count} of ${docCount}`)

const classBodies = spec.classes.map(({ name, queries }) => ({
  name,
  bodies: queries.map((query) => JSON.stringify(asked(query))),
}))
// The first class must not pay for compilation in the JVM.
for (const { bodies } of classBodies) for (const body of bodies) await search(body)
const classes: RivalAnswer['classes'] = Object.fromEntries(
  await Array.fromAsync(classBodies, async ({ name, bodies }) => [
    name,
    await measurePasses(bodies, search, spec),
  ]),
)
const mix = spec.mix.map((q) => rawPost('/bench/_search', asked({ q })))
const port = Number(new URL(cluster.urls[0]!).port)
await closedLoop(port, mix, { connections: LOOP.connections, durationMs: LOOP.durationMs / 2 })
const { requestsPerSecond } = await closedLoop(port, mix, LOOP)
http.close()
const answer: RivalAnswer = {
  title: `OpenSearch ${RELEASES[release].version}, over HTTP`,
  docsPerSecond,
  bytesPerDocument: store.size_in_bytes / docCount,
  requestsPerSecond,
  classes,
}
console.log(JSON.stringify(answer))

async function flush(): Promise<void> {
  if (batch === '') return
  const { errors } = (await send('POST', '/bench/_bulk', batch)) as { errors: boolean }
  if (errors) throw new Error('OpenSearch refused a document')
  batch = ''
}

function asked(query: BenchQuery): object {
  const highlight = { fields: Object.fromEntries(spec.texts.map((name) => [name, {}])) }
  return { ...openSearchQuery(query, spec.texts), _source: true, highlight }
}

function search(body: string): Promise<unknown> {
  return send('POST', '/bench/_search', body)
}

async function send(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  content?: object | string,
): Promise<unknown> {
  const body = typeof content === 'object' ? JSON.stringify(content) : content
  const answer = await http.send({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  const text = answer.body.toString('utf8')
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}
