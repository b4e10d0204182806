import {
  RestoreStoreRequest,
  SnapshotStores,
  StartedRestore,
  StoreRestore,
  StoreRestores,
  type TObject,
} from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { presentRestore } from '../../services/restores/restore-record.ts'
import { restoreRunner } from '../../services/restores/restore-runner.ts'
import {
  beginRestore,
  cancelRestore,
  findRestore,
  listRestores,
  listSnapshotStores,
} from '../../services/restores/restore-store.ts'
import { changedBy } from '../actor.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'

const SNAPSHOT = '/api/v1/admin/snapshots/:name'
const RESTORES = '/api/v1/admin/restores'
const RESTORE = `${RESTORES}/:restore_id`
const SNAPSHOT_PATH = { name: 'Name of the snapshot.' }
const RESTORE_PATH = { restore_id: 'Id of the restore.' }
const SNAPSHOT_ERRORS = ['snapshot_not_found', 'snapshot_failed', 'restore_unsupported'] as const

type Params = { readonly restore_id: string }

/** Restores a store of a snapshot into a new one, as a job of the service. */
export function restoreRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const runner = restoreRunner(ports, {
    onFault: (error) => app.log.error({ err: error }, 'A restore failed unexpectedly'),
  })
  app.addHook('onReady', (done) => {
    runner.start()
    done()
  })
  app.addHook('onClose', () => runner.stop())
  const readRequest = bodyReader<RestoreStoreRequest>(RestoreStoreRequest as TObject)

  app.get<{ Params: { name: string } }>(
    `${SNAPSHOT}/stores`,
    route('admin', 'Service', {
      role: 'owner',
      id: 'listSnapshotStores',
      summary: 'List the stores of a snapshot',
      path: SNAPSHOT_PATH,
      success: jsonAnswer(SnapshotStores, 'As the snapshot has them.'),
      errors: SNAPSHOT_ERRORS,
    }),
    (request) => listSnapshotStores(ports, request.params.name),
  )
  app.post<{ Params: { name: string } }>(
    `${SNAPSHOT}/restore`,
    route('admin', 'Service', {
      role: 'owner',
      id: 'restoreStore',
      summary: 'Restore a store of a snapshot into a new store',
      description:
        'Runs as a job of the service, which continues after a restart. The new store gets documents, schema, settings, sets, presets and rules, and new keys; it has no events. Other stores are not changed. If the restore fails or is cancelled, the new store is deleted.',
      path: SNAPSHOT_PATH,
      body: { 'application/json': RestoreStoreRequest },
      example: { store: 'shop', id: 'shop-restored', name: 'Shop (restored)' },
      success: jsonAnswer(StartedRestore, 'The restore has begun.', 202),
      errors: [
        ...SNAPSHOT_ERRORS,
        'store_not_found',
        'store_exists',
        'restore_running',
        'disk_reserve',
      ],
    }),
    async (request, reply) => {
      const { name } = request.params
      const wanted = readRequest(request)
      request.auditSubject = { storeId: wanted.id, target: `${name} ${wanted.store}` }
      const by = changedBy(request)
      const started = await beginRestore(ports, runner.name, name, wanted, by)
      // This runner takes it now; if it cannot, another one does soon.
      void runner.poll().catch(() => undefined)
      return reply.code(202).send(started)
    },
  )
  app.get(
    RESTORES,
    route('admin', 'Service', {
      role: 'owner',
      id: 'listRestores',
      summary: 'List restores of stores',
      success: jsonAnswer(StoreRestores, 'Newest first.'),
    }),
    async () => ({ restores: [...(await listRestores(ports))] }),
  )
  app.get<{ Params: Params }>(
    RESTORE,
    route('admin', 'Service', {
      role: 'owner',
      id: 'getRestore',
      summary: 'Read the progress and the result of a restore',
      path: RESTORE_PATH,
      success: jsonAnswer(StoreRestore),
      errors: ['restore_not_found'],
    }),
    async (request) => presentRestore(await findRestore(ports, request.params.restore_id)),
  )
  app.post<{ Params: Params }>(
    `${RESTORE}/cancel`,
    route('admin', 'Service', {
      role: 'owner',
      id: 'cancelRestore',
      summary: 'Cancel a restore that is in progress',
      path: RESTORE_PATH,
      success: jsonAnswer(
        StoreRestore,
        'It stops before its next documents; the new store is deleted.',
      ),
      errors: ['restore_not_found'],
    }),
    async (request) => presentRestore(await cancelRestore(ports, request.params.restore_id)),
  )
}
