import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { crc32 } from 'node:zlib'
import {
  ApiError,
  READ_WAIT_LATE_MS,
  READ_WAIT_MAX_MS,
  WRITE_WAIT_LATE_MS,
  WRITE_WAIT_MAX_MS,
} from '@aisle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestWatch } from '../../ports/request-watch.ts'
import type { Catalog } from '../../services/catalog.ts'
import { requestIdOf } from '../request-id.ts'
import { readableStore } from './auth.ts'
import { errorBody } from './errors.ts'
import { FairQueue, type Waiting } from '../../domain/fair-queue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Refused because the thread has too much to do. */
    isShed: boolean
  }
}

/** One for all: making an error costs more than the whole refusal. */
const OVERLOADED = new ApiError('unavailable', 'Too much to do right now: try again', {
  retryAfterSeconds: 1,
})
const REPORT_MS = 1_000
/** With fewer that wait nothing is refused before the framework has looked at it. */
const CROWD_MIN = 4
const SEARCH_PATHS = /^\/v1\/(search|multi-search|filters)(\?|$)/

interface Job extends Pick<Flow, 'waitMaxMs' | 'lateMs'> {
  readonly run: () => void
  /** For the watch; 0: it is not watched. */
  readonly fingerprint: number
  readonly refuse: () => void
}

interface Flow {
  readonly name: string
  readonly waitMaxMs: number
  readonly lateMs: number
}

/**
 * What keeps a thread responsive when more comes than it can do. Requests that do work wait in a fair queue, one flow
 * for the reads and one for the writes of each store, and one job is done per turn of the event loop. Between two jobs the
 * loop reads what has arrived, so that nothing waits unseen in the buffers of the system, and what is too much is refused within a turn: 503 with
 * `Retry-After`, after the keys were checked and before the body is read.
 *
 * While many wait, searches are refused before the framework makes anything of them, since then it is refusals that most of the time goes into.
 *
 * A thread that has little to do does a job in the turn in which it arrives.
 *
 * Which search is being done is told to the watch: one over which threads ended again and again is refused.
 */
export function registerAdmission(
  app: FastifyInstance,
  catalog: Pick<Catalog, 'registry' | 'clock'>,
  watch?: RequestWatch,
): void {
  const queue = new FairQueue<Job>()
  let isScheduled = false
  let shedCount = 0
  app.decorateRequest('isShed', false)

  const count = (storeId: string): void => {
    app.metrics.shed.inc({ store: app.metrics.storeLabel(storeId) })
    if (shedCount++ === 0) setTimeout(report, REPORT_MS).unref()
  }
  const refuse = (request: FastifyRequest, done: (error: Error) => void): void => {
    request.isShed = true
    count(request.storeId)
    done(OVERLOADED)
  }
  // A line for each would only add to the load.
  const report = (): void => {
    app.log.warn({ requestCount: shedCount }, 'Overloaded: requests were refused')
    shedCount = 0
  }

  let current: Waiting<Job> | undefined
  let startMs = 0
  let startCpuMs = 0
  /** Processor time when the job before it ended, if others waited then; else 0. */
  let endedCpuMs = 0
  const schedule = (): void => {
    isScheduled = true
    // Both in one pass: between them are kept the promises that the job leaves. Then it is over, or waits for something.
    setImmediate(begin)
    setImmediate(end)
  }
  /** Late, and a crowd behind it: without the latter it was a pause that made it late, and there is time to do it. */
  const isHopeless = ({ flow, sinceMs, job }: Waiting<Job>): boolean =>
    startMs - sinceMs > job.lateMs &&
    queue.isCrowded(flow) &&
    queue.expectedWaitMs(flow) > job.waitMaxMs / 4
  const begin = (): void => {
    startMs = performance.now()
    startCpuMs = threadCpuMs()
    current = queue.take()
    while (current !== undefined && isHopeless(current)) {
      current.job.refuse()
      current = queue.take()
    }
    watch?.workOn(current?.job.fingerprint ?? 0)
    current?.job.run()
  }
  const end = (): void => {
    isScheduled = false
    watch?.workOn(0)
    if (current === undefined) return
    const cpuMs = threadCpuMs()
    queue.done(current.flow, cpuMs - startCpuMs, endedCpuMs === 0 ? 0 : startCpuMs - endedCpuMs)
    app.metrics.admissionWait.observe((startMs - current.sinceMs) / 1_000)
    endedCpuMs = 0
    if (queue.length === 0) return
    endedCpuMs = cpuMs
    schedule()
  }

  beforeFramework(app, (raw, response) => {
    // While nobody waits this is all that it costs.
    if (queue.length < CROWD_MIN || !SEARCH_PATHS.test(raw.url ?? '')) return false
    // Another origin gets its headers from the framework.
    if (raw.headers.origin !== undefined) return false
    const storeId = readableStore(raw, catalog)
    if (storeId === undefined || queue.admits(readFlow(storeId), READ_WAIT_MAX_MS)) return false
    count(storeId)
    refuseRaw(raw, response)
    return true
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const flow = flowOf(request)
    if (flow === undefined || queue.admits(flow.name, flow.waitMaxMs)) return done()
    refuse(request, done)
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const flow = flowOf(request)
    if (flow === undefined) return done()
    const fingerprint = watch === undefined ? 0 : fingerprintOf(request)
    const seconds = watch?.quarantineSeconds(fingerprint) ?? 0
    if (seconds > 0) return done(quarantined(seconds))
    const job = { ...flow, fingerprint, run: () => done(), refuse: () => refuse(request, done) }
    if (!queue.add(flow.name, job, performance.now(), flow.waitMaxMs)) return refuse(request, done)
    if (!isScheduled) schedule()
  })
}

/** What this thread has used of a processor. What other processes take of it is no overload of ours, and refusing would not help. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** What makes a search the same one: store, path and parameters, as they were sent. Other requests are not watched. */
function fingerprintOf(request: FastifyRequest): number {
  if (request.routeOptions.config.auth !== 'read') return 0
  const head = crc32(`${request.storeId} ${request.method} ${request.url}`)
  return request.body instanceof Uint8Array ? crc32(request.body, head) : head
}

function quarantined(seconds: number): ApiError {
  return new ApiError(
    'request_quarantined',
    'This very search has ended threads of the service, and is refused for a while',
    { retryAfterSeconds: seconds },
  )
}

function readFlow(storeId: string): string {
  return `read ${storeId}`
}

/** @param takes whether it has answered a request itself */
function beforeFramework(
  app: FastifyInstance,
  takes: (raw: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const handlers = app.server.listeners('request') as RequestListener[]
  app.server.removeAllListeners('request')
  app.server.on('request', (raw: IncomingMessage, response: ServerResponse) => {
    if (takes(raw, response)) return
    for (const handler of handlers) handler(raw, response)
  })
}

/** The same answer as the framework would give, at half the price. */
function refuseRaw(raw: IncomingMessage, response: ServerResponse): void {
  const requestId = requestIdOf(raw)
  const body = errorBody(OVERLOADED, requestId)
  response.writeHead(OVERLOADED.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'retry-after': '1',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  })
  response.end(body)
}

/** Whose turn a request takes; undefined: it never waits, so that health, metrics and administration answer under any load. */
function flowOf(request: FastifyRequest): Flow | undefined {
  if (request.is404) return undefined
  switch (request.routeOptions.config.auth) {
    case 'read':
      return {
        name: readFlow(request.storeId),
        waitMaxMs: READ_WAIT_MAX_MS,
        lateMs: READ_WAIT_LATE_MS,
      }
    case 'write':
      return {
        name: `write ${request.storeId}`,
        waitMaxMs: WRITE_WAIT_MAX_MS,
        lateMs: WRITE_WAIT_LATE_MS,
      }
    case 'events':
      return { name: 'events', waitMaxMs: WRITE_WAIT_MAX_MS, lateMs: WRITE_WAIT_LATE_MS }
    default:
      return undefined
  }
}
