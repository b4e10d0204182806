import { setTimeout as sleep } from 'node:timers/promises'
import { HttpClient, ServerProcess, ThinClient, seededRandom } from '@aisle/testing'
import type { HttpAnswer, HttpRequest, StoreKeys } from '@aisle/testing'
import { demoCatalog } from '../../packages/server/src/demo/demo-catalog.ts'
import { answerProblem } from './open-api.ts'
import { randomRequest } from './random-requests.ts'

export interface RequestFuzzOptions {
  readonly runs: number
  readonly seed: number
  readonly threads?: number
  readonly onProgress?: (report: RequestFuzzReport) => void
}

export interface RequestFuzzReport {
  runs: number
  /** Answers by the first digit of their status. */
  readonly classes: Map<string, number>
  /** Operations that succeeded at least once. */
  readonly succeeded: Set<string>
  readonly problems: string[]
}

/** The store is replaced after this many requests, which may have deleted its schema or keys. */
const RUNS_PER_STORE = 5_000
const IN_FLIGHT = 32
const DOCUMENTS = 200
const PROBLEMS_MAX = 20
const STORES_MAX = 50
/** Three minutes: half of the requests may wait for reports of the same store. */
const ATTEMPTS_MAX = 360
const ATTEMPT_PAUSE_MS = 500

/**
 * Requests generated from docs/openapi.json, valid and invalid, to all operations: the answer is
 * never a 5xx, and always one that the operation declares: status, code, type, and schema of the
 * body.
 */
export async function runRequestFuzz(options: RequestFuzzOptions): Promise<RequestFuzzReport> {
  const { runs, seed, threads = 2, onProgress } = options
  const report: RequestFuzzReport = {
    runs: 0,
    classes: new Map(),
    succeeded: new Set(),
    problems: [],
  }
  const environment = { AISLE_LOG_LEVEL: 'fatal' }
  await using server = await ServerProcess.start({ threads, environment })
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  using http = new HttpClient(server.url, { connections: IN_FLIGHT })
  const random = seededRandom(seed)
  const isOver = (): boolean => report.runs >= runs || report.problems.length >= PROBLEMS_MAX
  for (let number = 1; !isOver(); number++) {
    const keys = await newStore(client, number)
    const end = Math.min(runs, report.runs + RUNS_PER_STORE)
    const sender = async (): Promise<void> => {
      while (report.runs < end && !isOver()) {
        report.runs++
        await sendOne(http, server, keys, random, report)
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, sender))
    await removeStores(client, server)
    onProgress?.(report)
  }
  return report
}

async function sendOne(
  http: HttpClient,
  server: ServerProcess,
  keys: StoreKeys,
  random: () => number,
  report: RequestFuzzReport,
): Promise<void> {
  const { route, request } = randomRequest(random, keys, server.adminToken)
  const problem = await sendPatiently(http, request).then(
    (answer) => {
      const name = `${Math.floor(answer.status / 100)}xx`
      report.classes.set(name, (report.classes.get(name) ?? 0) + 1)
      if (answer.status < 300) report.succeeded.add(route.operation.operationId)
      return answerProblem(route.operation, answer)
    },
    (error: unknown) => String(error),
  )
  if (problem !== undefined) report.problems.push(`${shown(request)}: ${problem}`)
}

/** A busy machine may ask to retry: that is not an error. */
async function sendPatiently(http: HttpClient, request: HttpRequest): Promise<HttpAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await http.send(request)
    if (answer.status !== 503 || attempt === ATTEMPTS_MAX) return answer
    await sleep(ATTEMPT_PAUSE_MS)
  }
}

function shown({ method, path, body }: HttpRequest): string {
  const text = typeof body === 'string' ? body : ''
  return `${method} ${path.slice(0, 300)} ${text.slice(0, 2_000)}`
}

async function newStore(client: ThinClient, number: number): Promise<StoreKeys> {
  const keys = await client.createStore({ id: `shop-${number}`, name: 'Shop' })
  const { schema, documents } = demoCatalog()
  await client.setSchema(keys, schema)
  const lines = documents
    .slice(0, DOCUMENTS)
    .map(({ id, data }) => JSON.stringify({ ...data, id: id.slice(0, 40) }))
  await client.bulk(keys, lines)
  return keys
}

/** Stores created by hand, and by generated requests. */
async function removeStores(client: ThinClient, server: ServerProcess): Promise<void> {
  const headers = { authorization: `Bearer ${server.adminToken}` }
  for (let round = 0; round < STORES_MAX; round++) {
    const { body } = await client.http.send({
      method: 'GET',
      path: '/api/v1/admin/stores',
      headers,
    })
    const { stores } = JSON.parse(body.toString()) as { stores: { store_id: string }[] }
    if (stores.length === 0) return
    for (const { store_id } of stores) await client.deleteStore(store_id)
    await sleep(1)
  }
}
