import type { Static } from 'typebox'
import { STORE_NAME_MAX_CHARS } from './limits.ts'
import { ChangedBy } from './settings.ts'
import { CreatedStore, STORE_ID_PATTERN } from './stores.ts'
import { Type } from './type.ts'

export const Snapshot = Type.Object(
  {
    name: Type.String(),
    created_at: Type.String({ format: 'date-time', description: 'Point in time of the data.' }),
    folder: Type.String({ description: 'Path on the machine of the service.' }),
    format: Type.Integer({ description: 'Format of the data folder.' }),
    version: Type.String({ description: 'Version of the service that made it.' }),
    stores: Type.Integer(),
    documents: Type.Integer({ description: 'Documents of all stores, counted in the snapshot.' }),
    bytes: Type.Integer({ description: 'Events included.' }),
    event_bytes: Type.Integer({ description: 'Bytes of the event logs.' }),
  },
  { $id: 'Snapshot', description: 'A verified copy of all data.' },
)
export type Snapshot = Static<typeof Snapshot>

export const SnapshotList = Type.Object(
  { snapshots: Type.Array(Snapshot) },
  { $id: 'SnapshotList' },
)
export type SnapshotList = Static<typeof SnapshotList>

export const DeletedSnapshot = Type.Object(
  { name: Type.String(), status: Type.Literal('deleted') },
  { $id: 'DeletedSnapshot' },
)
export type DeletedSnapshot = Static<typeof DeletedSnapshot>

export const SnapshotStore = Type.Object(
  {
    store_id: Type.String(),
    name: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    documents: Type.Integer(),
    document_bytes: Type.Integer({ description: 'Bytes of the JSON of its documents.' }),
  },
  { $id: 'SnapshotStore', description: 'A store as a snapshot has it.' },
)
export type SnapshotStore = Static<typeof SnapshotStore>

export const SnapshotStores = Type.Object(
  { stores: Type.Array(SnapshotStore, { description: 'Sorted by id.' }) },
  { $id: 'SnapshotStores' },
)
export type SnapshotStores = Static<typeof SnapshotStores>

export const RestoreStoreRequest = Type.Object(
  {
    store: Type.String({ minLength: 1, description: 'Id of the store in the snapshot.' }),
    id: Type.String({ pattern: STORE_ID_PATTERN }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: STORE_NAME_MAX_CHARS })),
  },
  {
    $id: 'RestoreStoreRequest',
    description:
      '`id` and `name` are those of the new store; without `name` it has the name in the snapshot.',
  },
)
export type RestoreStoreRequest = Static<typeof RestoreStoreRequest>

export const StoreRestore = Type.Object(
  {
    id: Type.String(),
    snapshot: Type.String({ description: 'Name of the snapshot.' }),
    source_store: Type.String({ description: 'Id of the store in the snapshot.' }),
    store_id: Type.String({ description: 'Id of the new store.' }),
    state: Type.Enum(['verifying', 'copying', 'done', 'failed', 'cancelled'], {
      description:
        'The snapshot is read again as a whole before its documents are copied. A restore that failed or was cancelled has deleted the new store.',
    }),
    documents_total: Type.Integer({ description: 'Documents of the store in the snapshot.' }),
    documents_done: Type.Integer(),
    refused: Type.Integer({
      description: 'Documents that this version does not accept; `errors` has the first ones.',
    }),
    errors: Type.Array(
      Type.Object({ id: Type.String(), code: Type.String(), error: Type.String() }),
    ),
    changed_by: Type.Optional(ChangedBy),
    created_at: Type.String({ format: 'date-time' }),
    ended_at: Type.Optional(Type.String({ format: 'date-time' })),
    error: Type.Optional(Type.String({ description: 'Why it failed.' })),
  },
  { $id: 'StoreRestore', description: 'A store of a snapshot that becomes a new store.' },
)
export type StoreRestore = Static<typeof StoreRestore>

export const StartedRestore = Type.Object(
  { restore: StoreRestore, store: CreatedStore },
  { $id: 'StartedRestore', description: 'The write secret is returned only here.' },
)
export type StartedRestore = Static<typeof StartedRestore>

export const StoreRestores = Type.Object(
  { restores: Type.Array(StoreRestore, { description: 'Newest first.' }) },
  { $id: 'StoreRestores' },
)
export type StoreRestores = Static<typeof StoreRestores>
