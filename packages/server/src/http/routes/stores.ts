import {
  CreatedStore,
  CreateStoreRequest,
  DeletedStore,
  FinishedBulkLoad,
  RenameStoreRequest,
  StoreList,
  StoreSummary,
  SwappedStores,
} from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import {
  createStore,
  deleteStore,
  describeStore,
  finishBulkLoad,
  listStores,
  renameStore,
  swapStores,
} from '../../services/store/stores.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'

const STORES = '/api/v1/admin/stores'
const STORE = `${STORES}/:id`

const readCreate = bodyReader<CreateStoreRequest>(CreateStoreRequest)
const readRename = bodyReader<RenameStoreRequest>(RenameStoreRequest)

/** Creates, lists, renames, swaps and deletes stores, for the administrator. */
export function storeRoutes(app: FastifyInstance, ports: AppDependencies): void {
  app.post(
    STORES,
    route('admin', 'Stores', {
      role: 'owner',
      id: 'createStore',
      summary: 'Create a store',
      description: 'The write secret is returned only here.',
      body: { 'application/json': CreateStoreRequest },
      example: { id: 'shop', name: 'My shop' },
      success: jsonAnswer(CreatedStore, 'Created.', 201),
      errors: ['store_exists'],
    }),
    async (request, reply) => {
      const created = await createStore(ports, readCreate(request))
      request.auditSubject = { storeId: created.store_id }
      return reply.code(201).send(created)
    },
  )
  app.get(
    STORES,
    route('admin', 'Stores', {
      role: 'analyst',
      perStore: true,
      id: 'listStores',
      summary: 'List stores',
      description: 'A `member` gets only their stores.',
      success: jsonAnswer(StoreList, 'All stores, sorted by id.'),
    }),
    ({ actor }) => listStores(ports, actor?.kind === 'user' ? actor.rights : undefined),
  )
  app.get<{ Params: { id: string } }>(
    STORE,
    route('admin', 'Stores', {
      role: 'analyst',
      id: 'getStore',
      summary: 'Read one store',
      success: jsonAnswer(StoreSummary),
      errors: ['store_not_found'],
    }),
    (request) => describeStore(ports, request.params.id),
  )
  app.patch<{ Params: { id: string } }>(
    STORE,
    route('admin', 'Stores', {
      role: 'owner',
      id: 'renameStore',
      summary: 'Rename a store',
      description: 'The id does not change.',
      body: { 'application/json': RenameStoreRequest },
      example: { name: 'My outdoor shop' },
      success: jsonAnswer(StoreSummary),
      errors: ['store_not_found'],
    }),
    (request) => renameStore(ports, request.params.id, readRename(request).name),
  )
  app.delete<{ Params: { id: string } }>(
    STORE,
    route('admin', 'Stores', {
      role: 'owner',
      id: 'deleteStore',
      summary: 'Delete a store with all its documents',
      success: jsonAnswer(DeletedStore, 'Deleted.'),
      errors: ['store_not_found'],
    }),
    (request) => deleteStore(ports, request.params.id),
  )
  app.post<{ Params: { id: string } }>(
    `${STORE}/bulk-load/finish`,
    route('admin', 'Stores', {
      role: 'owner',
      id: 'finishBulkLoad',
      summary: 'Finish the bulk load of a store',
      description:
        'Copies the documents of a store that was created with `bulk_load`, and shows them to searches. Call it until `status` is `finished`; before that, the store cannot be swapped. Stores that are not loaded like this are always finished.',
      success: jsonAnswer(FinishedBulkLoad),
      errors: ['store_not_found'],
    }),
    (request) => finishBulkLoad(ports, request.params.id),
  )
  app.post<{ Params: { id: string; other: string } }>(
    `${STORE}/swap/:other`,
    route('admin', 'Stores', {
      role: 'owner',
      id: 'swapStores',
      summary: 'Swap the contents of two stores',
      description:
        'Swaps documents, schema, settings, presets, sets and rules in one step. Ids, names, keys, events and usage counts stay. To apply a new schema or new settings without downtime, fill a second store, then swap (`aisle reindex` does this).',
      success: jsonAnswer(SwappedStores, 'Swapped.'),
      errors: ['store_not_found', 'invalid_parameter'],
    }),
    (request) => swapStores(ports, request.params.id, request.params.other),
  )
}
