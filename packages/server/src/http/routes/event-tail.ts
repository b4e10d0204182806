import { ApiError, EVENT_TAIL_LISTENERS_MAX, TailedEvent } from '@aisle/contract'
import { propertyWarnings, type LogEntry, type RefusedEvent } from '@aisle/event-log'
import type { FastifyInstance } from 'fastify'
import type { TailBatch } from '../../ports/events/event-log.ts'
import { shownEvent } from '../../services/events/shown-event.ts'
import type { AppDependencies } from '../dependencies.ts'
import { takeStreamSlot } from '../stream-slot.ts'
import { route } from '../operation.ts'
import { whileAllowed } from '../stream-rights.ts'

/** A listener with more unsent bytes misses events, and gets their number. */
const BUFFERED_MAX_BYTES = 262_144
const HEARTBEAT_MS = 15_000

/** Streams arriving events with their verdicts, as server-sent events for a debugger page. */
export function eventTailRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  const { events, registry } = dependencies
  const closers = new Set<() => void>()
  app.addHook('preClose', (done) => {
    for (const close of closers) close()
    done()
  })
  app.get(
    '/api/v1/stores/:id/analytics/events/tail',
    route('write', 'Events', {
      exposeHeadRoute: false,
      id: 'tailEvents',
      summary: 'Watch events as they arrive',
      description:
        'Server-sent events: `recent` for each earlier TailedEvent still in memory, `event` for each new one, `skipped` with a count if the listener is too slow, `ended` when the key or the session loses access.',
      success: {
        status: 200,
        description: 'An endless stream.',
        content: { 'text/event-stream': TailedEvent },
      },
    }),
    (request, reply) => {
      if (closers.size >= EVENT_TAIL_LISTENERS_MAX) {
        throw new ApiError('rate_limited', 'Too many listeners: close another one', {
          retryAfterSeconds: 5,
        })
      }
      const owner = registry.find(request.storeId)
      if (owner === undefined) {
        throw new ApiError('store_not_found', 'There is no store with this id')
      }
      const freeSlot = takeStreamSlot(dependencies, 'tail', request.storeId, () => close())
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        ...reply.getHeaders(),
        'content-type': 'text/event-stream; charset=utf-8',
        // Otherwise proxies would buffer the stream.
        'x-accel-buffering': 'no',
      } as Record<string, string>)
      raw.write(': listening\n\n')
      let skipped = 0
      const send = (kind: 'recent' | 'event', line: object): void => {
        if (raw.writableLength > BUFFERED_MAX_BYTES) {
          skipped++
          return
        }
        if (skipped > 0) raw.write(`event: skipped\ndata: {"count":${skipped}}\n\n`)
        skipped = 0
        raw.write(`event: ${kind}\ndata: ${JSON.stringify(line)}\n\n`)
      }
      // Until the recent ones are here, they contain what arrives.
      let isLive = false
      const end = events.tail(owner, (batch) => {
        if (isLive) for (const line of tailLines(batch)) send('event', line)
      })
      void events
        .recent(owner)
        .catch((): readonly TailBatch[] => [])
        .then((batches) => {
          isLive = true
          if (raw.writableEnded) return
          for (const batch of batches) for (const line of tailLines(batch)) send('recent', line)
        })
      const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS)
      const stopAsking = whileAllowed(request, dependencies, () => {
        raw.write('event: ended\ndata: {"reason":"no longer allowed"}\n\n')
        close()
      })
      const close = (): void => {
        clearInterval(heartbeat)
        stopAsking()
        freeSlot()
        end()
        closers.delete(close)
        raw.end()
      }
      closers.add(close)
      raw.on('close', close)
    },
  )
}

function* tailLines(batch: TailBatch): Generator<TailedEvent> {
  for (const [place, entry] of batch.entries.entries()) {
    if (entry.kind === 'tally') continue
    yield lineOf(entry, batch.duplicates.includes(place))
  }
  for (const refused of batch.refused) yield refusedLine(refused, batch.receivedMs)
}

function lineOf(entry: Exclude<LogEntry, { kind: 'tally' }>, isDuplicate: boolean): TailedEvent {
  const warnings = entry.kind === 'event' ? propertyWarnings(entry) : []
  return {
    verdict: isDuplicate ? 'duplicate' : 'accepted',
    ...shownEvent(entry),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

function refusedLine(
  { verdict, name, source, reasons, messageId }: RefusedEvent,
  receivedMs: number,
): TailedEvent {
  return {
    verdict,
    name: name.slice(0, 128).toWellFormed(),
    source,
    received_at: new Date(receivedMs).toISOString(),
    reasons: [...reasons],
    ...(messageId === undefined ? {} : { message_id: messageId }),
  }
}
