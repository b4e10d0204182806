import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { suite } from 'node:test'
import { createEngine } from './engine-under-test.ts'
import { toIndexDocument } from './lib/bench-catalog.ts'
import { demoBenchCatalog, demoQueryLists } from './lib/demo-bench-catalog.ts'
import { editsLevel, editsText } from './lib/edits-level.ts'
import { experimentCostLevel, experimentCostText } from './lib/experiment-cost-level.ts'
import { engineLevel, fillEngine } from './lib/engine-level.ts'
import { describeMachine } from './lib/machine.ts'
import { measure } from './lib/measure.ts'
import { catalogMix, mixLevel, mixText, queryMix } from './lib/mix-level.ts'
import { openLoop } from './lib/open-loop.ts'
import { QUERY_CLASS_NAMES, queryClasses } from './lib/query-classes.ts'
import { connectionsLevel, connectionsText } from './lib/connections-level.ts'
import { pathLevel, pathText } from './lib/path-level.ts'
import { probeLevel, probeText } from './lib/probe-level.ts'
import { reportText } from './lib/report.ts'
import { reportsLevel, reportsText } from './lib/reports-level.ts'
import { firstLevel, firstText } from './lib/first-level.ts'
import { stepsLevel, stepsText } from './lib/steps-level.ts'
import { rivalLevel } from './rivals/rival.ts'
import type { Rival } from './rivals/rival.ts'
import { sqliteLevel } from './lib/sqlite-level.ts'
import { storesLevel, storesText } from './lib/stores-level.ts'
import { compareSamples, median } from './lib/two-samples.ts'

// The benchmark with a tiny input: checks that it runs and counts correctly, not how fast it is.
const catalog = demoBenchCatalog(120)
const classes = queryClasses(demoQueryLists(3))
const once = { warmupPasses: 0, passes: 1 }

suite('benchmark', () => {
  test('every class has queries, and an unknown class is refused by name', () => {
    assert.deepEqual(
      classes.map(({ name }) => name),
      QUERY_CLASS_NAMES,
    )
    for (const { queries } of classes) assert.ok(queries.length > 0)
    assert.throws(() => queryClasses(demoQueryLists(1), ['two_words']), /"two_words".*two_terms/)
    assert.equal(queryClasses(demoQueryLists(1), ['browse']).length, 1)
  })

  test('the engine level measures every class', async () => {
    const report = await engineLevel(createEngine, catalog, classes, once)
    assert.deepEqual(Object.keys(report.classes), QUERY_CLASS_NAMES)
    assert.ok((report.docsPerSecond ?? 0) > 0)
    for (const latency of Object.values(report.classes)) {
      assert.ok(latency.p50 > 0 && latency.p50 <= latency.p99)
    }
  })

  test('the SQLite level answers the classes it supports and leaves the rest out', async () => {
    const report = await sqliteLevel(catalog, classes, once)
    const expected = QUERY_CLASS_NAMES.filter(
      (name) => !['letters', 'misspelt', 'two_terms_default', 'mix'].includes(name),
    )
    assert.deepEqual(Object.keys(report.classes), expected)
    assert.ok(report.bytesPerDocument > 0)
  })

  test('a report is readable with and without all levels', async () => {
    const base = {
      machine: describeMachine(),
      catalog: { name: catalog.name, docCount: catalog.docCount },
    }
    const sqlite = await sqliteLevel(catalog, queryClasses(demoQueryLists(2), ['two_terms']), once)
    const engine = await engineLevel(
      createEngine,
      catalog,
      queryClasses(demoQueryLists(2), ['two_terms']),
      once,
    )
    assert.match(reportText({ ...base, sqlite }), /SQLite FTS5: documents\/s/)
    const text = reportText({ ...base, engine, sqlite })
    assert.match(text, /2 terms, OR/)
    assert.match(text, /120 documents of demo shop; commit \w+/)
    assert.doesNotMatch(text, /NaN|undefined/)
  })
})

test('a rival answers from a separate process, and a failing one is a line of the report', async () => {
  const program = `
    let lines = 0
    process.stdin.on('data', (part) => { lines += part.toString().split('\\n').length - 1 })
    process.stdin.on('end', () => {
      const classes = { two_terms: { best: [1, 3], all: [1, 2, 3, 4] } }
      console.log(JSON.stringify({ docsPerSecond: lines, classes }))
    })`
  const rival: Rival = {
    name: 'stand-in',
    title: 'Stand-in 1.0',
    docsMax: 120,
    classes: ['two_terms'],
    install: () => [process.execPath, '-e', program, '--'],
  }
  const answered = await rivalLevel(rival, catalog, classes, [], once)
  assert.equal(answered.docsPerSecond, 120)
  assert.deepEqual(answered.classes.two_terms?.bestP99, 3)
  const broken = { ...rival, install: () => [process.execPath, '-e', 'process.exit(3)'] as const }
  const failed = await rivalLevel(broken, catalog, classes, [], once)
  const tooMany = await rivalLevel({ ...rival, docsMax: 119 }, catalog, classes, [], once)
  const report = reportText({
    machine: describeMachine(),
    catalog: { name: catalog.name, docCount: catalog.docCount },
    rivals: [answered, failed, tooMany],
  })
  assert.match(report, /Rivals in the same run/)
  assert.match(report, /1\.00 \/ 3\.00/)
  assert.match(report, /Stand-in 1\.0: ended with code 3/)
  assert.match(report, /Stand-in 1\.0: not run above 119 documents/)
})

test('the steps of a search are sampled, and their shares add up', async () => {
  const engine = await createEngine({ fields: catalog.fields })
  await fillEngine(engine, catalog)
  const [threeTerms] = queryClasses(demoQueryLists(3), ['three_terms'])
  const report = await stepsLevel(engine, { fields: catalog.fields }, threeTerms!, 1)
  const sum = [...report.shares.values()].reduce((a, b) => a + b, 0)
  assert.equal(sum.toFixed(6), '1.000000')
  // A renamed function would have no samples.
  for (const step of ['read the', 'look up each word', 'find the', 'score the', 'count all']) {
    const found = [...report.shares].find(([name]) => name.startsWith(step))
    assert.ok(found !== undefined && found[1] > 0, step)
  }
  assert.match(stepsText([report]), /3 terms, OR: 3 queries/)
})

test('first searches are compared with warm ones: after opening, a rest, a write and a merge', async () => {
  const engine = await createEngine({ fields: catalog.fields })
  await fillEngine(engine, catalog)
  const classes = queryClasses(demoQueryLists(3), ['letters', 'infix'])
  const reports = await firstLevel(engine, catalog, classes, 0.01)
  assert.equal(engine.segmentCount, 1)
  for (const { warm, latencies } of reports) {
    assert.equal(latencies.length, 4)
    for (const { firstMs, p99 } of [warm, ...latencies]) assert.ok(firstMs > 0 && p99 > 0)
  }
  assert.match(firstText(reports), /1 to 3 letters, as typed/)
})

test('a measurement keeps the best pass of each query and every single run', async () => {
  let calls = 0
  const latency = await measure(['a', 'b'], () => void calls++, { warmupPasses: 2, passes: 3 })
  assert.equal(calls, 10)
  assert.equal(latency.queries, 2)
  assert.ok(latency.bestP99 <= latency.p99)
})

test('int64 fields become bigint, absent and null ones stay absent', () => {
  const roles = { searchable: false, facet: false, sort: false }
  const document = toIndexDocument(
    '{"id":"x","made":7,"name":null}',
    [
      { ...roles, name: 'made', type: 'int64' },
      { ...roles, name: 'name', type: 'string' },
      { ...roles, name: 'gone', type: 'float' },
    ],
    3,
  )
  assert.deepEqual(document, { docKey: 3, id: 'x', values: [7n, undefined, undefined] })
})

test('two samples are compared as by looking at every pair', () => {
  const a = [1, 2, 2, 5, 9]
  const b = [2, 3, 5, 5, 7, 8]
  let smaller = 0
  for (const x of a) for (const y of b) smaller += x < y ? 1 : x === y ? 0.5 : 0
  const { chanceSmaller, z } = compareSamples(a, b)
  assert.equal(chanceSmaller.toFixed(12), (smaller / a.length / b.length).toFixed(12))
  const byHand = (20 / 30 - 1 / 2) / Math.sqrt((12 - 48 / 110) / 360)
  assert.equal(z.toFixed(9), byHand.toFixed(9))
  assert.deepEqual(compareSamples([1, 1], [1, 1]), { chanceSmaller: 0.5, z: 0 })
  assert.ok(compareSamples([1, 2, 3], [4, 5, 6]).chanceSmaller === 1)
  assert.deepEqual([median([3, 1, 2]), median([4, 1, 2, 3])], [2, 2.5])
})

test('probes are timed, and their report is readable', async () => {
  const text = probeText(await probeLevel(100))
  assert.match(text, /known store \| unknown store: 100 probes/)
  assert.match(text, /known user \| unknown user: 2 probes/)
  assert.doesNotMatch(text, /NaN|undefined/)
})

test('idle connections and slow readers are held, and their report is readable', async () => {
  const sizes = { idle: 60, slow: 5, seconds: 0.3, threads: 1, patienceMs: 0, products: 120 }
  const report = await connectionsLevel(sizes)
  const [, alone, idle, slow] = report.phases
  assert.deepEqual([alone!.connections, idle!.connections, slow!.connections], [0, 60, 5])
  assert.deepEqual([idle!.failures, slow!.failures], [0, 0])
  // Not compared with `alone`: a slow machine answers the searches there over many connections.
  if (process.platform === 'linux') assert.ok(idle!.held!.fileDescriptors > 60)
  assert.match(connectionsText(report), /idle connections \| +60 /)
  assert.doesNotMatch(connectionsText(report), /NaN|undefined/)
})

test('the path of a request is measured beside a no-op server', async () => {
  const sizes = { connections: 2, slices: 1, sliceMs: 100, threads: [1], warmRequests: 1 }
  const report = await pathLevel(catalog, demoQueryLists(3), sizes)
  const names = report.rows.map(({ name }) => name)
  assert.deepEqual(names.slice(0, 2), ['GET /health', 'nothing found'])
  assert.ok(names.some((name) => name.startsWith('no-op Fastify')))
  for (const { name, requests, engineMicros } of report.rows) {
    assert.ok(requests > 0, name)
    assert.equal(engineMicros > 0, /document|found|mix/.test(name), name)
  }
  assert.match(pathText(report), /nothing found/)
  assert.doesNotMatch(pathText(report), /NaN|undefined/)
})

test('a loaded service is reused for the next measurement of the mix', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-mix-'))
  try {
    const progress: number[] = []
    const onProgress = (documents: number): void => void progress.push(documents)
    const options = { threads: 1, seconds: 0.1, folder, onProgress }
    const { mix } = demoQueryLists(3)
    const first = await mixLevel(catalog, queryMix(mix), options)
    const loads = progress.length
    const again = await mixLevel(catalog, [...queryMix(mix), ...catalogMix([{ q: '*' }])], options)
    assert.ok(loads > 0)
    assert.equal(progress.length, loads)
    for (const { name, requests, stages } of [...first.rows, ...again.rows]) {
      assert.ok(requests > 0, name)
      assert.ok(stages.execute > 0 || name === 'mix, cached', name)
    }
    assert.match(
      mixText(again),
      /, \d+ segments?;[^]*mix, one connection[^]*catalog mix, all words/,
    )
    assert.doesNotMatch(mixText(again), /NaN|undefined/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('an open loop sends at its rate, and measures from when a request was due', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/refused') response.statusCode = 503
    setTimeout(() => response.end('x'.repeat(100_000)), request.url === '/slow' ? 30 : 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const get = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  const reports = await openLoop(
    port,
    [
      { name: 'slow', requests: [get('/slow')], perSecond: 200 },
      { name: 'refused', requests: [get('/refused')], perSecond: 50 },
    ],
    500,
  )
  server.close()
  const { slow, refused } = reports
  assert.ok(slow!.requests > 60 && slow!.requests < 140)
  assert.equal(slow!.admitted.count, slow!.requests)
  assert.ok(slow!.admitted.p50Ms >= 29)
  assert.equal(refused!.refused.count, refused!.requests)
  assert.deepEqual([slow!.failures, refused!.failures], [0, 0])
})

test('the stores level measures a few small stores', async () => {
  const sizes = { stores: 3, documentsPerStore: 40, settleMs: 0 }
  const report = await storesLevel(catalog, ['phone', 'red'], sizes)
  assert.ok(report.indexBytes.loaded > 0 && report.emptyBytes > 0)
  assert.deepEqual([report.first.queries, report.warm.queries], [3, 6])
  assert.match(storesText(report), /3 stores of 40 documents/)
  assert.doesNotMatch(storesText(report), /NaN|undefined/)
})

test('the level of experiments measures searches of each kind', async () => {
  const report = await experimentCostLevel(catalog, ['phone', 'red'], { rounds: 1, turnMs: 50 })
  assert.deepEqual(
    report.rows.map(({ name }) => name),
    ['no experiment', 'split', 'interleaved'],
  )
  assert.ok(report.rows.every(({ ratio }) => ratio > 0))
  assert.match(experimentCostText(report), /interleaved +\|/)
})

test('the edits level edits every document, and undoes it', async () => {
  const report = await editsLevel(catalog, ['phone', 'red'], 0.1)
  assert.ok(report.editSeconds > 0 && report.undoSeconds > 0)
  assert.match(editsText(report), /120 documents: loaded/)
  assert.doesNotMatch(editsText(report), /NaN|undefined/)
})

test('the reports level times each report, and the queue of missed searches', async () => {
  const report = await reportsLevel(3_000)
  assert.ok(report.events >= 3_000)
  const names = report.rows.map(({ name }) => name)
  assert.ok(names.includes('missed-searches') && names.some((name) => name.startsWith('mends of')))
  assert.doesNotMatch(reportsText(report), /NaN|undefined/)
})
