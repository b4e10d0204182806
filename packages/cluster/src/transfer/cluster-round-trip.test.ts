import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { HAS_VECTORS, NEEDS_CLUSTER, ServerProcess, TEST_CLUSTER, until } from '@aisle/testing'
import { exportCluster } from './export-cluster.ts'
import { fingerprintOf } from './fingerprint.ts'
import { openSnapshot, restoreSnapshot } from '@aisle/server'
import { importSnapshot } from './import-snapshot.ts'

// Goal: what was on one machine is on the cluster, and back on one machine, to the byte. Method: a
// service with everything that an installation keeps is asked the same questions at each stage, and
// the checksums of all snapshots are compared.

const DOCUMENTS = 2_500
const clock = { now: () => Date.now() }
const LOGIN = { login: 'ada@example.com', password: 'correct horse battery' }

type Headers = Readonly<Record<string, string>>

/** Passing: counts of requests, when a key was used last, sizes of another storage. */
const QUESTIONS: readonly (readonly [method: string, path: string, body?: object])[] = [
  [
    'POST',
    '/v1/search',
    { q: 'tent', facet_by: ['brand'], explain: true, analytics: false, search_timeout_ms: 10_000 },
  ],
  [
    'POST',
    '/v1/search',
    {
      q: 'tnet',
      semantic: 'off',
      analytics: false,
      sort_by: 'n:desc',
      filter_by: 'n:>2000',
      search_timeout_ms: 10_000,
    },
  ],
  [
    'POST',
    '/v1/search',
    { q: 'lamp shelter', analytics: false, per_page: 50, explain: true, search_timeout_ms: 10_000 },
  ],
  ['GET', '/api/v1/stores/shop/schema'],
  ['GET', '/api/v1/stores/shop/settings'],
  ['GET', '/api/v1/stores/shop/synonym-sets/words'],
  ['GET', '/api/v1/stores/shop/presets/few'],
  ['GET', '/api/v1/stores/shop/documents/7'],
  ['GET', '/api/v1/stores/shop/analytics/overview'],
]
const PASSING = new Set([
  'search_id',
  'search_time_ms',
  'cached',
  // Of today; they are counted on.
  'from',
  'to',
  'rows',
  'searches_used',
])

class Client {
  readonly #url: string
  readonly #headers: Headers

  constructor(url: string, headers: Headers) {
    this.#url = url
    this.#headers = headers
  }

  async call(method: string, path: string, body?: object, more: Headers = {}) {
    const answer = await fetch(this.#url + path, {
      method,
      headers: {
        ...this.#headers,
        ...more,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, text, body: JSON.parse(text) as Record<string, unknown> }
  }

  async done(method: string, path: string, body?: object, more?: Headers) {
    const answer = await this.call(method, path, body, more)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }

  /** Answers to all questions, as soon as all can be answered. */
  async answers(): Promise<unknown[]> {
    const answers: unknown[] = []
    for (const [method, path, body] of QUESTIONS) {
      const answer = await until(`${method} ${path}`, async () => {
        const { status, text } = await this.call(method, path, body)
        assert.ok(status < 300 || status === 503, `${method} ${path}: ${text}`)
        // A vector may be late, and a start looks through the vectors that there are.
        const isSettled = !/"semantic":"skipped"|"state":"running"/.test(text)
        return status < 300 && isSettled ? text : undefined
      })
      answers.push(JSON.parse(answer, (name, value) => (PASSING.has(name) ? 0 : value)))
    }
    const login = await this.call('POST', '/api/v1/admin/session', LOGIN)
    answers.push(login.status)
    return answers
  }
}

async function fill(url: string, adminToken: string): Promise<Headers> {
  const admin = new Client(url, { authorization: `Bearer ${adminToken}` })
  const made = await admin.done('POST', '/api/v1/admin/stores', { name: 'Shop', id: 'shop' })
  await admin.done('POST', '/api/v1/admin/stores', { name: 'Empty', id: 'empty' })
  await admin.done('POST', '/api/v1/admin/users', { ...LOGIN, role: 'owner' })
  const headers = {
    'x-storeid': 'shop',
    'x-store-write-secret': String(made['write_secret']),
    'x-storesecret': String(made['read_secret']),
  }
  const shop = new Client(url, headers)
  const path = '/api/v1/stores/shop'
  const fields = [
    { name: 'title', type: 'string', searchable: true },
    { name: 'brand', type: 'string', facet: true },
    { name: 'n', type: 'int64', sort: true, facet: true },
  ]
  await shop.done('POST', `${path}/schema`, { fields })
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({
    id: String(n),
    data: { title: `${n % 3 === 0 ? 'Tent' : 'Lamp'} ${n} “ü”`, brand: `b${n % 7}`, n },
  }))
  for (let from = 0; from < DOCUMENTS; from += 500) {
    await shop.done('POST', `${path}/documents/bulk`, {
      documents: documents.slice(from, from + 500),
    })
  }
  await shop.done('DELETE', `${path}/documents/3`)
  if (HAS_VECTORS) {
    await shop.done('PATCH', `${path}/settings`, {
      semantic: { embedder: 'words', min_similarity: 0.9 },
    })
    await until('the vectors', async () => {
      const { embedding } = await shop.done('GET', `${path}/settings`)
      return (embedding as { state: string }).state === 'ready'
    })
  }
  await shop.done('PATCH', `${path}/settings`, { ranking: { popularity_weight: 0.5 } })
  const items = [{ id: '7', synonyms: ['tent', 'shelter'] }]
  await shop.done('PUT', `${path}/synonym-sets/words`, { items })
  await shop.done('PUT', `${path}/presets/few`, { value: { per_page: 1 } })
  for (const user of ['eve', 'bob']) {
    for (const query of ['tent', 'lamp', 'tent']) {
      const event = { event_type: 'search', data: { query, total_results: 3 } }
      await shop.done('POST', '/analytics/event', event, { 'x-user-id': user })
    }
  }
  // Leaves a count of refused events.
  await shop.call('POST', '/analytics/event', { event_type: 'nothing' }, { 'x-user-id': 'eve' })
  await until('the erasure', async () => {
    const erased = await shop.call('DELETE', `${path}/analytics/visitors?user_id=bob`)
    return erased.status === 200
  })
  return headers
}

suite('From one machine to a cluster and back', NEEDS_CLUSTER, () => {
  test('everything is the same at each stage; an import that is cut off goes on', async () => {
    const work = mkdtempSync(join(tmpdir(), 'aisle-transfer-'))
    const prefix = `test-${Date.now().toString(36)}`
    const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
    const address = {
      urls: TEST_CLUSTER,
      username: undefined,
      password: undefined,
      caCertificate: undefined,
      prefix,
    }
    const servers: ServerProcess[] = []
    const embedders = embeddersFile(work)
    const start = async (
      options: Parameters<typeof ServerProcess.start>[0],
    ): Promise<ServerProcess> => {
      const server = await ServerProcess.start({
        ...options,
        // The first search of a service that has just started may take long beside other work.
        environment: {
          AISLE_SEARCH_TIMEOUT_MAX_MS: '10000',
          ...(HAS_VECTORS ? { AISLE_EMBEDDERS_FILE: embedders } : {}),
          ...options?.environment,
        },
      })
      servers.push(server)
      return server
    }
    try {
      // 1. One machine.
      const one = await start({ dataDir: join(work, 'one'), threads: 1 })
      const headers = await fill(one.url, one.adminToken)
      const expected = await new Client(one.url, headers).answers()
      assert.equal(expected.at(-1), 201)
      const admin = new Client(one.url, { authorization: `Bearer ${one.adminToken}` })
      const { folder } = (await admin.done('POST', '/api/v1/admin/snapshots')) as { folder: string }
      await one.stop()

      // 2. To the cluster, cut off after the first documents.
      const secretsFile = join(work, 'one', 'secrets.json')
      const cut = importSnapshot(folder, address, {
        clock,
        secretsFile,
        saveMs: 0,
        onProgress(text) {
          if (text.includes('documents')) throw new Error('cut off')
        },
      })
      await assert.rejects(cut, /cut off/)
      const node = (): Promise<ServerProcess> =>
        start({
          environment: {
            AISLE_OPENSEARCH_URL: TEST_CLUSTER.join(','),
            AISLE_OPENSEARCH_PREFIX: prefix,
          },
        })
      await assert.rejects(node(), /the import of snapshot-\S+ is not complete/)
      const report = await importSnapshot(folder, address, { clock, secretsFile })
      assert.deepEqual(
        [report.resumed, report.stores, report.documents, report.users],
        [true, 2, DOCUMENTS - 1, 1],
      )
      await assert.rejects(importSnapshot(folder, address, { clock }), /already has stores/)

      // 3. Back at once: the checksums are those of the first snapshot.
      const back = join(work, 'back')
      const secretsBack = join(work, 'secrets.json')
      await exportCluster(address, back, { clock, secretsFile: secretsBack })
      assert.deepEqual(await sumsOf(back), await sumsOf(folder))

      // 4. The same requests on a node, then back again.
      const started = await node()
      assert.deepEqual(await new Client(started.url, headers).answers(), expected)
      const metrics = await (await fetch(`${started.url}/metrics`)).text()
      // Of a few queries.
      assert.doesNotMatch(metrics, /aisle_embedder_texts_total\{[^}]*\} \d\d/, 'no product again')
      await assert.rejects(importSnapshot(folder, address, { clock }), /nodes are running/)
      await started.stop()
      const again = join(work, 'again')
      await exportCluster(address, again, { clock })
      await restoreSnapshot(again, join(work, 'two'))
      const two = await start({ dataDir: join(work, 'two'), threads: 1 })
      assert.deepEqual(await new Client(two.url, headers).answers(), expected)
      await two.stop()
    } finally {
      for (const server of servers) await server.stop()
      await cluster.request({ method: 'DELETE', path: `/${prefix}*` })
      await cluster.close()
      rmSync(work, { recursive: true, force: true })
    }
  })
})

/** A model that is a table of words. */
function embeddersFile(folder: string): string {
  const words = join(folder, 'words.txt')
  writeFileSync(words, 'tent 8 7 6 0 0 0 0 1\nshelter 8 7 5 1 0 0 0 1\nlamp 0 0 1 0 9 8 0 1\n')
  const file = join(folder, 'embedders.json')
  const table = { kind: 'table', path: words, dimensions: 8 }
  writeFileSync(file, JSON.stringify({ embedders: { words: table } }))
  return file
}

async function sumsOf(folder: string): Promise<object> {
  const snapshot = openSnapshot(folder)
  try {
    return Object.fromEntries(await fingerprintOf(snapshot))
  } finally {
    await snapshot.close()
  }
}
