import { setTimeout as sleep } from 'node:timers/promises'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { holdingOf, type Holding } from '../../tools/chaos/process-watch.ts'
import { textTable } from '../../tools/lib/text-table.ts'
import { demoBenchCatalog, demoQueryLists } from './demo-bench-catalog.ts'
import { HeldConnections } from './held-connections.ts'
import { openLoop, type StreamReport } from './open-loop.ts'
import { rawSearch } from './raw-request.ts'

/**
 * The cost of connections that are held and hardly used, for a service and the searches beside
 * them.
 */
export interface ConnectionsReport {
  /** Nothing else, idle connections, slow readers, and nothing else again. */
  readonly phases: readonly Phase[]
  /**
   * Slow readers that the service closed, and the time of that check after the last one had sent
   * its request.
   */
  readonly givenUp: number
  readonly givenUpAfterMs: number
}

export interface Phase {
  readonly name: string
  /** Connections held at the end of the phase. */
  readonly connections: number
  /** Connections that broke before an answer, or got another status than 200. */
  readonly failures: number
  readonly search: StreamReport
  readonly held: Holding | undefined
}

export interface ConnectionsOptions {
  readonly idle: number
  readonly slow: number
  /** Duration of each phase. */
  readonly seconds: number
  readonly threads: number
  /** Time limit for the service to close slow readers. */
  readonly patienceMs: number
  /** Products of the searches; by default the whole demo shop. */
  readonly products?: number
}

const SEARCHES_PER_SECOND = 50
/** An answer of nine megabytes, more than the system buffers for a connection. */
const LARGE = { documents: 250, words: 5_000 }
const LOOK_MS = 500
/** Less than the minimum rate of a reader (`TRANSFER_MIN_BYTES_PER_SECOND`). */
const SLOW_PACE = { bytes: 64, everyMs: 1_000 }

export async function connectionsLevel(options: ConnectionsOptions): Promise<ConnectionsReport> {
  const { idle, slow, seconds, threads, patienceMs, products } = options
  await using server = await ServerProcess.start({
    threads,
    environment: { AISLE_LOG_LEVEL: 'error' },
  })
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  using held = new HeldConnections()
  const port = Number(new URL(server.url).port)
  const catalog = demoBenchCatalog(products)
  const store = await client.createStore({ name: 'shop', id: 'shop' })
  await client.setSchema(store, { fields: catalog.fields })
  await client.bulk(store, await Array.fromAsync(catalog.lines()))
  const large = await client.createStore({ name: 'large', id: 'large' })
  await client.setSchema(large, { fields: [{ name: 'text', type: 'string' }] })
  await client.bulk(large, largeLines())
  const requests = demoQueryLists().mix.map((q) => rawSearch(store, { q }))
  const phases: Phase[] = []
  const phase = async (name: string): Promise<void> => {
    const stream = { name, requests, perSecond: SEARCHES_PER_SECOND }
    const { [name]: search } = await openLoop(port, [stream], seconds * 1_000)
    const failures = held.failures + held.refusals
    phases.push({
      name,
      connections: held.open,
      failures,
      search: search!,
      held: holdingOf(server.pid),
    })
  }

  await phase('warming up')
  await phase('alone')
  await held.openIdle(port, idle, Buffer.from('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n'))
  await phase('idle connections')
  held.close()
  const slowRequest = rawSearch(large, { q: '*', per_page: LARGE.documents })
  await held.openSlow(port, slow, slowRequest, SLOW_PACE)
  await phase('slow readers')
  const startMs = performance.now() - seconds * 1_000
  // The others are refused, because their responses have no room.
  const reading = slow - held.refusals - held.failures
  while ((await givenUpBy(server)) < reading && performance.now() - startMs < patienceMs) {
    await sleep(LOOK_MS)
  }
  const givenUp = await givenUpBy(server)
  const givenUpAfterMs = performance.now() - startMs
  held.close()
  await phase('alone again')
  return { phases, givenUp, givenUpAfterMs }
}

async function givenUpBy({ url }: ServerProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^aisle_slow_connections_total\{direction="out"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

function largeLines(): string[] {
  const text = Array.from({ length: LARGE.words }, (_, i) => `word${i % 100}`).join(' ')
  return Array.from({ length: LARGE.documents }, (_, i) => JSON.stringify({ id: `d${i}`, text }))
}

export function connectionsText({ phases, givenUp, givenUpAfterMs }: ConnectionsReport): string {
  const number = (value: number | undefined): string => value?.toFixed(0) ?? '-'
  const rows = phases.map(({ name, connections, failures, search, held }) => [
    name,
    number(connections),
    number(failures),
    number(search.requests),
    search.admitted.p50Ms.toFixed(1),
    search.admitted.p99Ms.toFixed(1),
    number(search.refused.count + search.failures),
    number(held?.anonymousMegabytes),
    number(held?.fileDescriptors),
  ])
  const heads = [
    'held',
    'without 200',
    'searches',
    'p50 ms',
    'p99 ms',
    'not answered',
    'MB',
    'files',
  ]
  return [
    textTable([['', ...heads], ...rows]),
    '',
    `${givenUp} slow readers were closed after ${(givenUpAfterMs / 1_000).toFixed(0)} s`,
  ].join('\n')
}
