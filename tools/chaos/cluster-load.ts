import { setTimeout as sleep } from 'node:timers/promises'
import { readHeaders, ThinClient, until, writeHeaders } from '@aisle/testing'
import type { HttpAnswer, HttpRequest, StoreKeys } from '@aisle/testing'
import { ClusterOracle, type DocumentState } from './cluster-oracle.ts'
import { chaosDocument, versionOf, wordOf } from './document.ts'
import { LongestGap } from './longest-gap.ts'

/** A request without an answer for this time hangs, whatever the fault. */
const ANSWER_LIMIT_MS = 60_000
/** Pause after a failure, like a client. */
const RETRY_MS = 100
const IDS_OF_WRITER = 150
const BULK_MAX = 40
const LOOK_MS = 20
/** Between two writes of a writer: nodes that start need the processor, too. */
const WRITE_PAUSE_MS = 400
/** Statuses that a failing cluster may return. */
const FAILURES = new Set([502, 503, 504, 507])
const PAGE = 250

/** A path relative to the store. */
type Asked = [method: HttpRequest['method'] | 'SEARCH', path: string, body?: object]
type Json = Record<string, unknown>

/** Writers and readers of one store, over all API nodes, with their expectations. */
export class ClusterLoad {
  readonly oracle = new ClusterOracle()
  readonly writeGap = new LongestGap()
  readonly readGap = new LongestGap()
  readonly problems: string[] = []
  writes = 0
  reads = 0
  failures = 0
  /** Latencies of all requests in milliseconds. */
  longestMs = 0
  readonly #keys: StoreKeys
  readonly #random: () => number
  readonly #clients: (ThinClient | undefined)[]
  readonly #loops: Promise<void>[] = []
  #isOver = false
  #isPaused = false
  #working = 0
  #version = 0

  constructor(keys: StoreKeys, urls: readonly string[], random: () => number) {
    this.#keys = keys
    this.#random = random
    this.#clients = urls.map((url) => clientOf(url))
  }

  start(writers: number, readers: number): void {
    for (let at = 0; at < writers; at++) {
      const name = `${this.#keys.storeId}-${at}`
      const step = at % 2 === 0 ? () => this.#writeOne(name) : () => this.#writeMany(name)
      this.#loops.push(this.#loop(step))
    }
    for (let at = 0; at < readers; at++) this.#loops.push(this.#loop(() => this.#look()))
  }

  /** An API node has ended, or has returned under another address. */
  setNode(at: number, url: string | undefined): void {
    this.#clients[at]?.close()
    this.#clients[at] = url === undefined ? undefined : clientOf(url)
  }

  /** Resolves when no request is in flight. */
  async pause(): Promise<void> {
    this.#isPaused = true
    while (this.#working > 0) await sleep(LOOK_MS)
  }

  resume(): void {
    this.#isPaused = false
    this.writeGap.restart()
    this.readGap.restart()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#loops)
    for (const client of this.#clients) client?.close()
  }

  /** Compares all documents on each API node with the acknowledged writes. Call it while paused. */
  async verify(): Promise<void> {
    for (const client of this.#clients) {
      if (client === undefined) continue
      const lines = (await this.#must(client, 'GET', '/documents')).body.toString().split('\n')
      const stored = new Map<string, number>()
      for (const line of lines.filter((one) => one !== '')) {
        const { id, data } = JSON.parse(line) as { id: string; data: Json }
        const version = versionOf(data)
        if (typeof version === 'string') this.problems.push(`${id}: ${version}`)
        else stored.set(id, version)
      }
      this.problems.push(...this.oracle.reconcile(stored))
      const found = await this.#searchAll(client)
      for (const [id, version] of stored) {
        if (found.get(id) === version) continue
        this.problems.push(`${id} is ${version}, and a search finds ${found.get(id) ?? 'nothing'}`)
      }
      if (found.size !== stored.size) {
        this.problems.push(`a search finds ${found.size} documents of ${stored.size}`)
      }
    }
  }

  async #loop(step: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      if (this.#isPaused) {
        await sleep(LOOK_MS)
        continue
      }
      this.#working++
      try {
        await step()
      } catch (error) {
        this.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      } finally {
        this.#working--
      }
    }
  }

  async #writeOne(name: string): Promise<void> {
    await sleep(WRITE_PAUSE_MS)
    const id = this.#someId(name)
    const choice = this.#random()
    const before = this.oracle.possible(id)
    if (choice < 0.2) {
      this.oracle.begin(id, 'absent')
      const answer = await this.#ask('DELETE', `/documents/${id}`)
      this.#ended(id, before, answer, { 200: ['present', 'absent'], 404: ['absent', 'absent'] })
      return
    }
    const version = ++this.#version
    const action = choice < 0.6 ? 'upsert' : 'insert'
    this.oracle.begin(id, version)
    const data = chaosDocument(version)
    const answer = await this.#ask('POST', '/documents', { id, action, data })
    const same = before.size === 1 ? [...before][0]! : undefined
    this.#ended(id, before, answer, {
      201: ['absent', version],
      200: ['present', action === 'upsert' ? version : undefined],
      409: ['present', action === 'insert' ? same : undefined],
    })
  }

  async #writeMany(name: string): Promise<void> {
    await sleep(WRITE_PAUSE_MS)
    const count = 1 + Math.floor(this.#random() * BULK_MAX)
    const ids = [...new Set(Array.from({ length: count }, () => this.#someId(name)))]
    const versions = ids.map(() => ++this.#version)
    const befores = ids.map((id) => this.oracle.possible(id))
    for (const [at, id] of ids.entries()) this.oracle.begin(id, versions[at]!)
    const documents = ids.map((id, at) => ({ id, data: chaosDocument(versions[at]!) }))
    const answer = await this.#ask('POST', '/documents/bulk', { documents })
    const results =
      answer?.status === 207
        ? (JSON.parse(answer.body.toString()) as { results: { code: number; id: string }[] })
            .results
        : undefined
    for (const [at, id] of ids.entries()) {
      const result = results?.[at]
      const single = result === undefined ? answer : { status: result.code, body: answer!.body }
      const version = versions[at]!
      this.#ended(id, befores[at]!, single, {
        201: ['absent', version],
        200: ['present', version],
      })
    }
  }

  /**
   * @param outcomes by status: previous and current state of the document; `undefined`: unchanged
   */
  #ended(
    id: string,
    before: ReadonlySet<DocumentState>,
    answer: Pick<HttpAnswer, 'status' | 'body'> | undefined,
    outcomes: Readonly<Record<number, readonly ['absent' | 'present', DocumentState | undefined]>>,
  ): void {
    const outcome = answer === undefined ? undefined : outcomes[answer.status]
    if (outcome === undefined) {
      this.oracle.unanswered(id)
      if (answer !== undefined && !FAILURES.has(answer.status)) {
        this.problems.push(`a write of ${id} was answered ${answer.status} ${String(answer.body)}`)
      }
      return
    }
    const [was, is] = outcome
    const isLikely = [...before].some((state) => (state === 'absent') === (was === 'absent'))
    if (!isLikely) {
      this.problems.push(`${id} was ${[...before].join(' or ')}, and the answer ${answer!.status}`)
    }
    if (is === undefined) this.oracle.unanswered(id)
    else this.oracle.end(id, is)
    this.writes++
    this.writeGap.success()
  }

  /** Searches one document, by its id or by a word unique to this version. */
  async #look(): Promise<void> {
    await sleep(LOOK_MS)
    const ids = this.oracle.ids()
    const id = ids[Math.floor(this.#random() * ids.length)]
    if (id === undefined || !this.oracle.isIdle(id)) return
    const epoch = this.oracle.epoch(id)
    const possible = this.oracle.possible(id)
    const state = [...possible][0]!
    if (possible.size > 1 || this.#random() < 0.5 || state === 'absent') {
      const answer = await this.#ask('GET', `/documents/${id}`)
      if (answer === undefined || !this.#isRead(answer, [200, 404])) return
      const found =
        answer.status === 404
          ? 'absent'
          : versionOf((JSON.parse(answer.body.toString()) as { data: Json }).data)
      if (epoch !== this.oracle.epoch(id) || possible.has(found as DocumentState)) return
      this.problems.push(`${id} is read as ${found}, expected ${[...possible].join(' or ')}`)
      return
    }
    const answer = await this.#ask('SEARCH', '', {
      q: wordOf(state),
      typo_max: 0,
      prefix_mode: 'off',
    })
    if (answer === undefined || !this.#isRead(answer, [200])) return
    const { found, hits, search_cutoff } = JSON.parse(answer.body.toString()) as {
      found: number
      hits: { id: string }[]
      search_cutoff?: boolean
    }
    // A busy cluster ends a search when its time is over, and says so.
    if (search_cutoff === true) return
    if (epoch !== this.oracle.epoch(id) || (found === 1 && hits[0]?.id === id)) return
    this.problems.push(`${id} version ${state}: a search for it finds ${found} (${hits[0]?.id})`)
  }

  #isRead({ status, body }: HttpAnswer, right: readonly number[]): boolean {
    if (right.includes(status)) {
      this.reads++
      this.readGap.success()
      return true
    }
    if (!FAILURES.has(status)) this.problems.push(`a read was answered ${status} ${String(body)}`)
    return false
  }

  /** @returns undefined if the node has ended */
  async #ask(...[method, path, body]: Asked): Promise<HttpAnswer | undefined> {
    const living = this.#clients.filter((client) => client !== undefined)
    const client = living[Math.floor(this.#random() * living.length)]
    const startMs = performance.now()
    try {
      if (client === undefined) throw new Error('no node')
      const answer = await client.http.send(this.#request(method, path, body))
      if (FAILURES.has(answer.status)) await this.#failed()
      return answer
    } catch {
      await this.#failed()
      return undefined
    } finally {
      const ms = performance.now() - startMs
      this.longestMs = Math.max(this.longestMs, ms)
      if (ms > ANSWER_LIMIT_MS) this.problems.push(`${method} ${path}: no answer in ${ms} ms`)
    }
  }

  #failed(): Promise<void> {
    this.failures++
    return sleep(RETRY_MS)
  }

  #request(...[method, path, body]: Asked): HttpRequest {
    const isSearch = method === 'SEARCH'
    return {
      method: isSearch ? 'POST' : method,
      path: isSearch ? '/v1/search' : `/api/v1/stores/${this.#keys.storeId}${path}`,
      headers: {
        ...readHeaders(this.#keys),
        ...writeHeaders(this.#keys),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
  }

  async #searchAll(client: ThinClient): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    for (let page = 1; ; page++) {
      const body = { q: '*', per_page: PAGE, page, sort_by: 'version:asc' }
      const hits = await until('a search that had its time', async () => {
        const answer = await this.#must(client, 'SEARCH', '', body)
        const { hits, search_cutoff } = JSON.parse(answer.body.toString()) as {
          hits: { id: string; document: { version: number } }[]
          search_cutoff?: boolean
        }
        return search_cutoff === true ? undefined : hits
      })
      for (const { id, document } of hits) found.set(id, document.version)
      if (hits.length < PAGE) return found
    }
  }

  async #must(client: ThinClient, ...of: Asked): Promise<HttpAnswer> {
    const answer = await client.http.send(this.#request(...of))
    if (answer.status === 200) return answer
    throw new Error(`${of[0]} ${of[1]} was answered ${answer.status} ${String(answer.body)}`)
  }

  #someId(name: string): string {
    return `${name}-${Math.floor(this.#random() * IDS_OF_WRITER)}`
  }
}

function clientOf(url: string): ThinClient {
  return new ThinClient(url, { connections: 16, timeoutMs: ANSWER_LIMIT_MS })
}
