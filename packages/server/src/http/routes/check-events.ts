import { EVENT_BATCH_MAX_BYTES, EventBatchRequest, EventCheck } from '@aisle/contract'
import { CanonicalEvent, IngestRequest, SimpleEvent, Type } from '@aisle/contract'
import { AddressHasher } from '@aisle/event-log'
import type { FastifyInstance } from 'fastify'
import { checkEvents } from '../../services/events/check-events.ts'
import { parseEvents } from '../../services/events/ingest-events.ts'
import { ownerOf } from '../../services/events/reports.ts'
import { SignedUsers } from '../../services/store/signed-users.ts'
import { WriteKeys } from '../../services/store/write-keys.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyBytes } from '../plugins/body.ts'
import { userIdOf, visitorReader } from '../visitor.ts'

/** A check does not count as a use of a key. */
const UNNOTED = { noteKey: (): void => undefined }

/** Returns the verdict of the ingest on events of any form, before a shop sends them. */
export function checkEventsRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  const { registry, clock, addressKey, options } = dependencies
  const writeKeys = new WriteKeys(registry, clock, UNNOTED)
  const users = new SignedUsers(dependencies, UNNOTED)
  const hasher = new AddressHasher(addressKey)
  const visitorOf = visitorReader(dependencies, UNNOTED)
  app.post(
    '/api/v1/stores/:id/analytics/events/check',
    route('write', 'Events', {
      bodyLimit: EVENT_BATCH_MAX_BYTES,
      // It changes nothing, so anyone who may read events may call it.
      role: 'analyst',
      audit: false,
      id: 'checkEvents',
      summary: 'Check events of any form',
      description:
        'Accepts the bodies of `/analytics/event`, `/analytics/batch`, `/v1/b` and the paths of stock clients, and returns a verdict for each event: accepted (as it would be stored), duplicate, unknown event name, or invalid. The checks are those of the ingest; nothing is stored or counted. Disk space and the daily quota are not checked.',
      body: {
        'application/json': Type.Union([
          SimpleEvent,
          EventBatchRequest,
          CanonicalEvent,
          IngestRequest,
        ]),
      },
      example: { event_type: 'click', data: { query: 'tent', document_id: '1', position: 1 } },
      success: jsonAnswer(EventCheck, 'The verdicts, also for invalid events.'),
    }),
    async (request, reply) => {
      const body = parseEvents(bodyBytes(request))
      const owner = ownerOf(dependencies, request.storeId)
      const answer = await checkEvents(dependencies, owner, visitorOf(request), body, {
        address: hasher.hash(request.ip, clock.now()),
        storeOf: (writeKey) => writeKeys.storeOf(writeKey),
        onlyUser: users.isRequired(owner.storeId)
          ? (userIdOf(request, owner.storeId, users) ?? '')
          : undefined,
        hasAliases: options.ingestAliases === true,
      })
      return reply.send(answer)
    },
  )
}
