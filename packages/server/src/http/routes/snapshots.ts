import { DeletedSnapshot, Snapshot, SnapshotList } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'

const SNAPSHOTS = '/api/v1/admin/snapshots'
const SNAPSHOT = `${SNAPSHOTS}/:name`
const PATH = { name: 'Name of the snapshot.' }

/**
 * Creates, lists, verifies and deletes copies of all data, for the administrator. `aisle restore`
 * turns one into a data folder.
 */
export function snapshotRoutes(app: FastifyInstance, { snapshots }: AppDependencies): void {
  app.post(
    SNAPSHOTS,
    route('admin', 'Service', {
      role: 'owner',
      id: 'createSnapshot',
      summary: 'Create a snapshot',
      description:
        'Copies all data from one point in time while the service continues. Responds once the copy has been opened, read row by row and counted.',
      success: jsonAnswer(Snapshot, 'On disk, and verified.', 201),
      errors: ['snapshot_failed', 'disk_reserve'],
    }),
    async (_request, reply) => {
      return reply.code(201).send(await snapshots.create())
    },
  )
  app.get(
    SNAPSHOTS,
    route('admin', 'Service', {
      role: 'owner',
      id: 'listSnapshots',
      summary: 'List snapshots',
      success: jsonAnswer(SnapshotList, 'Newest first.'),
    }),
    async (_request, reply) => reply.send({ snapshots: await snapshots.list() }),
  )
  app.post<{ Params: { name: string } }>(
    `${SNAPSHOT}/verify`,
    route('admin', 'Service', {
      role: 'owner',
      id: 'verifySnapshot',
      summary: 'Verify a snapshot',
      description:
        'Reads and counts the snapshot again. If it is damaged, responds with 500 `snapshot_failed` and the reason.',
      path: PATH,
      success: jsonAnswer(Snapshot, 'The snapshot is intact.'),
      errors: ['snapshot_not_found', 'snapshot_failed'],
    }),
    (request) => snapshots.verify(request.params.name),
  )
  app.delete<{ Params: { name: string } }>(
    SNAPSHOT,
    route('admin', 'Service', {
      role: 'owner',
      id: 'deleteSnapshot',
      summary: 'Delete a snapshot',
      path: PATH,
      success: jsonAnswer(DeletedSnapshot, 'Deleted.'),
      errors: ['snapshot_not_found'],
    }),
    async (request, reply) => {
      const { name } = request.params
      await snapshots.remove(name)
      return reply.send({ name, status: 'deleted' })
    },
  )
}
