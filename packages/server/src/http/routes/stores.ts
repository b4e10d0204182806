import {
  CreatedStore,
  CreateStoreRequest,
  DeletedStore,
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
  listStores,
  renameStore,
  swapStores,
} from '../../services/store/stores.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'

const STORES = '/api/v1/admin/stores'
const STORE = `${STORES}/:id`
const PATH = { id: 'Store id.' }

const readCreate = bodyReader<CreateStoreRequest>(CreateStoreRequest)
const readRename = bodyReader<RenameStoreRequest>(RenameStoreRequest)

/** Creates, lists, renames, swaps and deletes stores, for the administrator. */
export function storeRoutes(app: FastifyInstance, ports: AppDependencies): void {
  app.post(
    STORES,
    route({
      auth: 'admin',
      role: 'owner',
      id: 'createStore',
      tag: 'Stores',
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
    route({
      auth: 'admin',
      role: 'analyst',
      id: 'listStores',
      tag: 'Stores',
      summary: 'List stores',
      success: jsonAnswer(StoreList, 'All stores, sorted by id.'),
    }),
    async (_request, reply) => reply.send(await listStores(ports)),
  )
  app.get<{ Params: { id: string } }>(
    STORE,
    route({
      auth: 'admin',
      role: 'analyst',
      id: 'getStore',
      tag: 'Stores',
      summary: 'Read one store',
      path: PATH,
      success: jsonAnswer(StoreSummary),
      errors: ['store_not_found'],
    }),
    async (request, reply) => reply.send(await describeStore(ports, request.params.id)),
  )
  app.patch<{ Params: { id: string } }>(
    STORE,
    route({
      auth: 'admin',
      role: 'owner',
      id: 'renameStore',
      tag: 'Stores',
      summary: 'Rename a store',
      description: 'The id does not change.',
      path: PATH,
      body: { 'application/json': RenameStoreRequest },
      example: { name: 'My outdoor shop' },
      success: jsonAnswer(StoreSummary),
      errors: ['store_not_found'],
    }),
    async (request, reply) =>
      reply.send(await renameStore(ports, request.params.id, readRename(request).name)),
  )
  app.delete<{ Params: { id: string } }>(
    STORE,
    route({
      auth: 'admin',
      role: 'owner',
      id: 'deleteStore',
      tag: 'Stores',
      summary: 'Delete a store with all its documents',
      path: PATH,
      success: jsonAnswer(DeletedStore, 'Deleted.'),
      errors: ['store_not_found'],
    }),
    async (request, reply) => reply.send(await deleteStore(ports, request.params.id)),
  )
  app.post<{ Params: { id: string; other: string } }>(
    `${STORE}/swap/:other`,
    route({
      auth: 'admin',
      role: 'owner',
      id: 'swapStores',
      tag: 'Stores',
      summary: 'Swap the contents of two stores',
      description:
        'Swaps documents, schema, settings, presets, sets and rules in one step. Ids, names, keys, events and usage counts stay. To apply a new schema or new settings without downtime, fill a second store, then swap (`aisle reindex` does this).',
      path: { ...PATH, other: 'Id of the other store.' },
      success: jsonAnswer(SwappedStores, 'Swapped.'),
      errors: ['store_not_found', 'invalid_parameter'],
    }),
    async (request, reply) =>
      reply.send(await swapStores(ports, request.params.id, request.params.other)),
  )
}
