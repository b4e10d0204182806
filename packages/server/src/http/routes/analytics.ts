import {
  EVENT_BATCH_MAX_BYTES,
  EventAccepted,
  EventBatchAccepted,
  EventBatchRequest,
  EventValidation,
  SimpleEvent,
  WriteKeyResponse,
} from '@aisle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  ingestBatch,
  ingestEvent,
  parseEvents,
  validateEvent,
  type Events,
  type VerdictCounts,
} from '../../services/events/ingest-events.ts'
import { VisibleDocuments } from '../../services/events/visible-documents.ts'
import { scopedPorts } from '../../services/search/scoped-view.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyBytes } from '../plugins/body.ts'
import { visitorReader } from '../visitor.ts'

const IDENTITY =
  'Identify the visitor with the headers `x-user-id`, `x-anon-id` and `x-session-id`, as far as known; if the setting `identity` is `signed`, a user id counts only with `x-user-signature`.'
const CLICK = {
  event_type: 'click',
  data: { query: 'tent', document_id: '1', position: 1 },
} as const

/** Events in the simple form, and the events key. */
export function analyticsRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  const visitorOf = visitorReader(dependencies, app.uses)
  const count = (verdicts: VerdictCounts): void => countEvents(app, 'simple', verdicts)
  const portsOf = ({ scope, storeId, pace }: FastifyRequest): Events => {
    if (scope?.filter_by === undefined) return dependencies
    const view = scopedPorts(dependencies, scope).backend.view(storeId, pace)
    const visible = new VisibleDocuments(dependencies.reader, storeId, view, pace)
    return { ...dependencies, visible }
  }
  const bodyLimit = EVENT_BATCH_MAX_BYTES

  app.post(
    '/analytics/event',
    route('read', 'Events', {
      bodyLimit,
      scoped: 'events',
      id: 'sendEvent',
      summary: 'Send one event',
      description: `Responds once the event is on disk. ${IDENTITY}`,
      body: { 'application/json': SimpleEvent },
      example: CLICK,
      success: jsonAnswer(EventAccepted, 'Durable.'),
      errors: ['invalid_event', 'quota_exceeded', 'disk_reserve'],
    }),
    async (request, reply) => {
      const event = parseEvents(bodyBytes(request))
      const { answer, verdicts } = await ingestEvent(
        portsOf(request),
        request.storeId,
        visitorOf(request),
        event,
      )
      count(verdicts)
      return reply.send(answer)
    },
  )
  app.post(
    '/analytics/batch',
    route('read', 'Events', {
      bodyLimit,
      scoped: 'events',
      id: 'sendEvents',
      summary: 'Send up to 100 events',
      description: `Events are independent: an invalid one is counted in \`rejected\`, and the others are accepted. ${IDENTITY}`,
      body: { 'application/json': EventBatchRequest },
      example: { events: [CLICK] },
      success: jsonAnswer(EventBatchAccepted, 'Accepted events are durable.'),
      errors: ['quota_exceeded', 'disk_reserve'],
    }),
    async (request, reply) => {
      const body = parseEvents(bodyBytes(request))
      const { answer, verdicts } = await ingestBatch(
        portsOf(request),
        request.storeId,
        visitorOf(request),
        body,
      )
      count(verdicts)
      return reply.send(answer)
    },
  )
  app.post(
    '/analytics/validate',
    route('read', 'Events', {
      bodyLimit,
      id: 'validateEvent',
      summary: 'Check an event',
      description:
        'An error here means that the other routes would refuse the event. Nothing is stored. The identity headers are checked too.',
      body: { 'application/json': SimpleEvent },
      example: CLICK,
      success: jsonAnswer(EventValidation, 'The verdict, also for an invalid event.'),
    }),
    (request, reply) =>
      reply.send(validateEvent(dependencies, visitorOf(request), parseEvents(bodyBytes(request)))),
  )
  app.get(
    '/api/v3/account/analytics/writekey',
    route('write', 'Events', {
      role: 'editor',
      id: 'getWriteKey',
      summary: 'Read the write key for ingest',
      success: jsonAnswer(WriteKeyResponse, 'The current key.'),
    }),
    (request, reply) =>
      reply.send({ writeKey: dependencies.registry.find(request.storeId)?.eventsWriteKey }),
  )
}

export function countEvents(
  app: FastifyInstance,
  form: 'simple' | 'canonical',
  verdicts: VerdictCounts,
): void {
  for (const [verdict, count] of Object.entries(verdicts)) {
    if (count > 0) app.metrics.events.inc({ form, result: verdict }, count)
  }
}
