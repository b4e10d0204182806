import {
  EVENT_BATCH_MAX_BYTES,
  EventAccepted,
  EventBatchAccepted,
  EventBatchRequest,
  EventValidation,
  SimpleEvent,
  WriteKeyResponse,
} from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import {
  ingestBatch,
  ingestEvent,
  parseEvents,
  validateEvent,
  type VerdictCounts,
} from '../../services/events/ingest-events.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyBytes } from '../plugins/body.ts'
import { visitorReader } from '../visitor.ts'

const IDENTITY =
  'Say who it was with the headers `x-user-id`, `x-anon-id` and `x-session-id`, as far as they are known; where the setting `identity` is `signed`, a user id counts only with `x-user-signature`.'
const CLICK = {
  event_type: 'click',
  data: { query: 'tent', document_id: '1', position: 1 },
} as const

/** Events in the simple form, and the events key. */
export function analyticsRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  const visitorOf = visitorReader(dependencies, app.uses)
  const count = (verdicts: VerdictCounts): void => countEvents(app, 'simple', verdicts)
  const bodyLimit = EVENT_BATCH_MAX_BYTES

  app.post(
    '/analytics/event',
    route({
      bodyLimit,
      auth: 'read',
      scoped: true,
      id: 'sendEvent',
      tag: 'Events',
      summary: 'Send one event',
      description: `Answered when it is on disk. ${IDENTITY}`,
      body: { 'application/json': SimpleEvent },
      example: CLICK,
      success: jsonAnswer(EventAccepted, 'Durable.'),
      errors: ['invalid_event', 'quota_exceeded', 'disk_reserve'],
    }),
    async (request, reply) => {
      const event = parseEvents(bodyBytes(request))
      const { answer, verdicts } = await ingestEvent(
        dependencies,
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
    route({
      bodyLimit,
      auth: 'read',
      scoped: true,
      id: 'sendEvents',
      tag: 'Events',
      summary: 'Send up to 100 events',
      description: `Each by itself: a wrong one is counted in \`rejected\` and harms no other. ${IDENTITY}`,
      body: { 'application/json': EventBatchRequest },
      example: { events: [CLICK] },
      success: jsonAnswer(EventBatchAccepted, 'What was accepted is durable.'),
      errors: ['quota_exceeded', 'disk_reserve'],
    }),
    async (request, reply) => {
      const body = parseEvents(bodyBytes(request))
      const { answer, verdicts } = await ingestBatch(
        dependencies,
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
    route({
      bodyLimit,
      auth: 'read',
      id: 'validateEvent',
      tag: 'Events',
      summary: 'Check an event',
      description:
        'What is an error here is refused by the other routes. Nothing is kept. The identity headers take part.',
      body: { 'application/json': SimpleEvent },
      example: CLICK,
      success: jsonAnswer(EventValidation, 'The verdict, also of a wrong event.'),
    }),
    (request, reply) =>
      reply.send(validateEvent(dependencies, visitorOf(request), parseEvents(bodyBytes(request)))),
  )
  app.get(
    '/api/v3/account/analytics/writekey',
    route({
      auth: 'write',
      id: 'getWriteKey',
      tag: 'Events',
      summary: 'Read the write key of the ingest',
      success: jsonAnswer(WriteKeyResponse, 'The key in force.'),
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
