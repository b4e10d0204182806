import { RevokedKey, RotatedKey, RotateKeyRequest, StoreKeys } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { describeKeys, revokePreviousKey, rotateKey } from '../../services/store/store-keys.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'

const KEYS = '/api/v1/admin/stores/:id/keys'

const readRotate = bodyReader<RotateKeyRequest>(RotateKeyRequest)

/** Reads and rotates the keys of a store. */
export function storeKeyRoutes(app: FastifyInstance, ports: AppDependencies): void {
  app.get<{ Params: { id: string } }>(
    KEYS,
    route('admin', 'Stores', {
      role: 'editor',
      audit: true,
      id: 'listKeys',
      summary: 'Read the keys of a store, and when they were last used',
      description:
        'The read secret and the events key are public by design and can be read again; the write secret and the signing secret cannot.',
      success: jsonAnswer(StoreKeys),
      errors: ['store_not_found'],
    }),
    (request, reply) => reply.send(describeKeys(ports, request.params.id)),
  )
  app.post<{ Params: { id: string; kind: string } }>(
    `${KEYS}/:kind/rotate`,
    route('admin', 'Stores', {
      role: 'owner',
      id: 'rotateKey',
      summary: 'Rotate a secret',
      description:
        'The previous secret stays valid for the grace period; with 0 it becomes invalid immediately, on every thread. A secret that is still in an earlier grace period becomes invalid too. The first rotation of `signing` creates the signing secret of the store.',
      body: { 'application/json': RotateKeyRequest },
      example: { grace_seconds: 3_600 },
      bodyOptional: true,
      success: jsonAnswer(RotatedKey),
      errors: ['store_not_found'],
    }),
    async (request, reply) => {
      const { id, kind } = request.params
      const hasBody = request.body instanceof Uint8Array && request.body.length > 0
      const { grace_seconds } = hasBody ? readRotate(request) : {}
      return reply.send(await rotateKey(ports, id, kind, grace_seconds))
    },
  )
  app.delete<{ Params: { id: string; kind: string } }>(
    `${KEYS}/:kind/previous`,
    route('admin', 'Stores', {
      role: 'owner',
      id: 'revokePreviousKey',
      summary: 'End the grace period of a replaced secret now',
      success: jsonAnswer(RevokedKey, 'Only the current secret opens the store.'),
      errors: ['store_not_found', 'invalid_parameter'],
    }),
    async (request, reply) => {
      const { id, kind } = request.params
      return reply.send(await revokePreviousKey(ports, id, kind))
    },
  )
}
