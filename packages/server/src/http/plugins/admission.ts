import { performance } from 'node:perf_hooks'
import {
  ApiError,
  READ_WAIT_LATE_MS,
  READ_WAIT_MAX_MS,
  SEARCH_TIMEOUT_DEFAULT_MS,
  TURN_MAX_MS,
  WRITE_WAIT_LATE_MS,
  WRITE_WAIT_MAX_MS,
} from '@aisle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NO_WORK, type RequestWatch, type WatchedWork } from '../../ports/host/request-watch.ts'
import type { ServicePorts } from '../../services/service-ports.ts'
import { soloPace, type RequestPace } from '../../services/search/request-pace.ts'
import { isPublic } from '../route-table.ts'
import { registerEarlyRefusal, type StoreNeed } from './early-refusal.ts'
import { FairQueue, type Waiting } from '../../domain/turns/fair-queue.ts'
import { SharedTurns } from '../../domain/turns/shared-turns.ts'
import { SpareTurns } from '../../domain/turns/spare-turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request was refused because the thread is overloaded. */
    isShed: boolean
    /** The time limits of the request, and how it yields to others. */
    pace: RequestPace
  }
}

/** One shared instance: creating an error costs more than the whole refusal. */
const OVERLOADED = new ApiError('unavailable', 'The service is overloaded: try again', {
  retryAfterSeconds: 1,
})
/** Ends the work of a request that nobody waits for any more; it is never sent. */
const CLIENT_GONE = new ApiError('unavailable', 'The connection was closed')
const REPORT_MS = 1_000

interface Job {
  readonly flow: Flow
  /** Overrides that of its flow. */
  readonly lateMs: number
  /** One turn of it. */
  readonly run: () => void
  /** Its turns so far. */
  readonly spent: Spent
  /** The work reported to the watch; it changes with each part of the job. */
  work: WatchedWork
  readonly refuse: () => void
}

interface Spent {
  costMs: number
  isPaused: boolean
}

interface Flow {
  readonly name: string
  /** Whether all of its work is reported to the watch, not only what a request announces. */
  readonly isWatched: boolean
  readonly waitMaxMs: number
  readonly lateMs: number
}

/**
 * Keeps a thread responsive under overload. Requests that do work wait in a fair queue, with one
 * flow for the reads and one for the writes of each store, one for all events and one for all
 * routes without a key; one job runs per turn of the event loop, or several short ones
 * (`SharedTurns`). Between two turns the loop reads what has arrived,
 * so that no request waits unseen in a kernel buffer, and excess requests are refused within a
 * turn: 503 with `Retry-After`, after the keys were checked and before the body is read.
 *
 * While many requests wait, those of full stores are refused before the framework handles them
 * (`registerEarlyRefusal`).
 *
 * On an idle thread a job runs in the turn in which it arrives.
 *
 * A request yields when it has used the thread for `TURN_MAX_MS`: a search between two windows of
 * documents, a multi-search between two searches, highlighting between two hits. It waits for its
 * next turn in the same queue, and ends there if its connection was closed.
 *
 * The watch is told which search is running, and for which store; work that repeatedly ended its
 * thread is refused.
 */
export function registerAdmission(
  app: FastifyInstance,
  ports: Pick<ServicePorts, 'registry' | 'clock' | 'resources'>,
  {
    watch,
    timeoutMaxMs = SEARCH_TIMEOUT_DEFAULT_MS,
    timeoutDefaultMs,
    turnMaxMs = TURN_MAX_MS,
  }: AdmissionOptions = {},
): void {
  const queue = new FairQueue<Job>()
  let shedCount = 0
  app.decorateRequest('isShed', false)
  app.decorateRequest('pace')

  const count = (storeId: string): void => {
    app.metrics.shed.inc({ store: app.metrics.storeLabel(storeId) })
    if (shedCount++ === 0) setTimeout(report, REPORT_MS).unref()
  }
  const refuse = (request: FastifyRequest, done: (error: Error) => void): void => {
    request.isShed = true
    count(request.storeId)
    done(OVERLOADED)
  }
  // A line per refusal would add to the load.
  const report = (): void => {
    app.log.warn({ requestCount: shedCount }, 'Overloaded: requests were refused')
    shedCount = 0
  }

  let hasAccepted = false
  app.server.on('connection', () => (hasAccepted = true))
  let current: Waiting<Job> | undefined
  let startMs = 0
  /**
   * A job is shed if it is late and many requests wait behind it. Without those, a pause made it
   * late, and there is time to run it.
   */
  const isHopeless = ({ flow, sinceMs, job }: Waiting<Job>): boolean =>
    startMs - sinceMs > job.lateMs &&
    queue.isCrowded(flow) &&
    queue.expectedWaitMs(flow) > job.flow.waitMaxMs / 4
  const turns = new SharedTurns({
    defer: setImmediate,
    settle: queueMicrotask,
    nowMs: () => performance.now(),
    cpuMs: threadCpuMs,
    hasAccepted: () => {
      const has = hasAccepted
      hasAccepted = false
      return has
    },
    waiting: () => queue.length,
    costMs: () => queue.costMs,
    begin: (nowMs) => {
      startMs = nowMs
      current = queue.take(nowMs)
      while (current !== undefined && isHopeless(current)) {
        current.job.refuse()
        current = queue.take(nowMs)
      }
      if (current === undefined) return false
      const { job } = current
      watch?.workOn(job.work)
      job.spent.isPaused = false
      job.run()
      return true
    },
    end: (costMs) => {
      const { job, flow, sinceMs } = current!
      watch?.workOn(NO_WORK)
      const { spent } = job
      spent.costMs += costMs
      queue.done(flow, { costMs, jobMs: spent.costMs, isPaused: spent.isPaused })
      app.metrics.admissionWait.observe((startMs - sinceMs) / 1_000)
    },
  })

  const spareTurns = new SpareTurns({
    defer: setImmediate,
    nowMs: () => performance.now(),
    waiting: () => queue.length,
  })

  registerEarlyRefusal(app, ports, OVERLOADED, {
    isCalm: () => queue.isCalm,
    isFull: (need, storeId) => {
      const { name, waitMaxMs } = storeFlow(need, storeId)
      return !queue.admits(name, waitMaxMs)
    },
    count,
    read: () => turns.read(),
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const flow = flowOf(request)
    if (flow === undefined || queue.admits(flow.name, flow.waitMaxMs)) return done()
    refuse(request, done)
  })
  app.addHook('preHandler', (request, reply, done) => {
    const flow = flowOf(request)
    if (flow === undefined) {
      request.pace = { ...soloPace(), hold: (bytes) => app.holdAnswer(request, reply, bytes) }
      return done()
    }
    const origin = `${flow.name} ${request.ip}`
    const refuseQuarantined = (work: WatchedWork): void => {
      const seconds = watch?.quarantineSeconds(work) ?? 0
      if (seconds > 0) throw quarantined(seconds)
    }
    const work = flow.isWatched ? { request: '', origin } : NO_WORK
    try {
      if (flow.isWatched) refuseQuarantined(work)
    } catch (error) {
      return done(error as Error)
    }
    const job: Job = {
      flow,
      lateMs: flow.lateMs,
      work,
      spent: { costMs: 0, isPaused: false },
      run: () => {
        if (isGone(request)) return done(CLIENT_GONE)
        request.pace = {
          startMs,
          timeoutMaxMs,
          timeoutDefaultMs,
          isDue: () => performance.now() - startMs > turnMaxMs,
          rest: () =>
            new Promise((resolve, reject) => {
              const run = (): void => (isGone(request) ? reject(CLIENT_GONE) : resolve())
              const rest: Job = { ...job, lateMs: Infinity, run }
              job.spent.isPaused = true
              queue.resume(flow.name, rest, performance.now())
              turns.schedule()
            }),
          giveWay: () => spareTurns.take(),
          hold: (bytes) => app.holdAnswer(request, reply, bytes),
          begin: (text) => {
            if (watch === undefined) return
            job.work = { request: text, origin }
            refuseQuarantined(job.work)
            watch.workOn(job.work)
          },
        }
        done()
      },
      refuse: () => refuse(request, done),
    }
    if (!queue.add(flow.name, job, performance.now(), flow.waitMaxMs)) return refuse(request, done)
    turns.schedule()
  })
}

export interface AdmissionOptions {
  /** Absent: nothing is quarantined. */
  readonly watch?: RequestWatch | undefined
  /** Maximum of `search_timeout_ms`. */
  readonly timeoutMaxMs?: number | undefined
  /** Limit of a search that names none; only tests set it. */
  readonly timeoutDefaultMs?: number | undefined
  /** Length of a turn; only tests set it. */
  readonly turnMaxMs?: number | undefined
}

/**
 * Processor time of this thread. Time used by other processes is not our overload, and refusing
 * would not help.
 */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Whether the connection of a request was closed. */
function isGone({ raw }: FastifyRequest): boolean {
  return raw.socket.destroyed
}

function quarantined(seconds: number): ApiError {
  return new ApiError(
    'request_quarantined',
    'This request has crashed threads of the service and is refused for a while',
    { retryAfterSeconds: seconds },
  )
}

/**
 * The flow that a request is charged to. Undefined: it never waits, so probes and administration
 * work under any load.
 */
function flowOf(request: FastifyRequest): Flow | undefined {
  if (isPublic(request)) {
    // Shops of other origins send a preflight before a search; it must not wait for pages.
    if (request.is404) return request.method === 'OPTIONS' ? undefined : PAGES
    const { auth, isProbe } = request.routeConfig!
    if (isProbe === true || request.actor !== null) return undefined
    return auth === 'local' ? METRICS : PAGES
  }
  const { auth } = request.routeConfig!
  if (auth === 'read' || auth === 'write') return storeFlow(auth, request.storeId)
  return auth === 'events' ? EVENTS : undefined
}

/** Flows by store, cached, because each request of a store would create its own. */
const readFlows = new Map<string, Flow>()
const writeFlows = new Map<string, Flow>()
const FLOWS_MAX = 1_000

function storeFlow(need: StoreNeed, storeId: string): Flow {
  return need === 'read'
    ? knownFlow(readFlows, storeId, readsOf)
    : knownFlow(writeFlows, storeId, writesOf)
}

function knownFlow(
  flows: Map<string, Flow>,
  storeId: string,
  make: (storeId: string) => Flow,
): Flow {
  let flow = flows.get(storeId)
  if (flow === undefined) {
    if (flows.size === FLOWS_MAX) flows.clear()
    flow = make(storeId)
    flows.set(storeId, flow)
  }
  return flow
}

function readsOf(storeId: string): Flow {
  return {
    name: `read ${storeId}`,
    isWatched: true,
    waitMaxMs: READ_WAIT_MAX_MS,
    lateMs: READ_WAIT_LATE_MS,
  }
}

function writesOf(storeId: string): Flow {
  return {
    name: `write ${storeId}`,
    isWatched: false,
    waitMaxMs: WRITE_WAIT_MAX_MS,
    lateMs: WRITE_WAIT_LATE_MS,
  }
}

const EVENTS: Flow = { ...writesOf(''), name: 'events' }
/** All routes without a key together. No store has this id. */
const PAGES: Flow = { ...readsOf('/'), name: 'pages', isWatched: false }
/** Separate, because it is read to find out what floods the service. */
const METRICS: Flow = { ...PAGES, name: 'metrics' }
