import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  BULK_LOAD_MIN_BYTES,
  KEY_GRACE_DEFAULT_SECONDS,
  KEY_GRACE_MAX_SECONDS,
  STORE_ID_MAX_CHARS,
  STORE_NAME_MAX_CHARS,
} from './limits.ts'
import { StoreEmbedding } from './semantic.ts'
import { StoreAnalysis } from './settings.ts'

/** Pattern of a store id. */
export const STORE_ID_PATTERN = `^[A-Za-z0-9_-]{1,${STORE_ID_MAX_CHARS}}$`

export const CreateStoreRequest = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: STORE_NAME_MAX_CHARS,
      description: 'Display name.',
    }),
    id: Optional.String({
      pattern: STORE_ID_PATTERN,
      description: 'Store id; generated when omitted.',
    }),
    bulk_load: Optional.Object(
      {
        document_bytes: Type.Integer({
          minimum: 1,
          description: 'Approximate bytes of the documents as JSON.',
        }),
      },
      {
        description: `For a store that is loaded at once. On a cluster, from ${BULK_LOAD_MIN_BYTES / 1e6} MB, its documents get an index without copies, and searches see them after \`finishBulkLoad\`. Otherwise it has no effect.`,
      },
    ),
  },
  { $id: 'CreateStoreRequest' },
)
export type CreateStoreRequest = Static<typeof CreateStoreRequest>

export const RenameStoreRequest = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: STORE_NAME_MAX_CHARS,
      description: 'Display name.',
    }),
  },
  { $id: 'RenameStoreRequest' },
)
export type RenameStoreRequest = Static<typeof RenameStoreRequest>

export const CreatedStore = Type.Object(
  {
    store_id: Type.String(),
    name: Type.String(),
    read_secret: Type.String({
      description: 'Grants access to the read routes; safe in a browser.',
    }),
    write_secret: Type.String({ description: 'Grants full access to the store; shown only once.' }),
    events_write_key: Type.String({ description: 'Key of the events ingest.' }),
  },
  { $id: 'CreatedStore' },
)

export const StoreSummary = Type.Object(
  {
    store_id: Type.String(),
    name: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    documents: Type.Integer({ description: 'Searchable documents.' }),
    disk_bytes: Type.Integer({
      description:
        'Approximate bytes on disk: documents with their keys, and the files of the index.',
    }),
    index_bytes: Type.Integer({
      description: 'Bytes of the index in memory; 0 while it is closed.',
    }),
    document_bytes: Type.Integer({ description: 'Bytes of the documents as JSON.' }),
    segments: Type.Integer(),
    analysis: StoreAnalysis,
    embedding: Type.Optional(StoreEmbedding),
    last_write_at: Optional.String({ format: 'date-time' }),
  },
  { $id: 'Store' },
)

export const StoreList = Type.Object({ stores: Type.Array(StoreSummary) }, { $id: 'StoreList' })

export const DeletedStore = Type.Object(
  { store_id: Type.String(), status: Type.Literal('deleted') },
  { $id: 'DeletedStore' },
)

export const SwappedStores = Type.Object(
  {
    status: Type.Literal('swapped'),
    stores: Type.Array(StoreSummary, {
      description: 'Both stores after the swap, in the order of the path.',
    }),
  },
  { $id: 'SwappedStores' },
)
export type SwappedStores = Static<typeof SwappedStores>

export const FinishedBulkLoad = Type.Object(
  {
    store_id: Type.String(),
    status: Type.Enum(['finished', 'copying'], {
      description:
        '`finished`: all documents are in all copies and visible. `copying`: ask again in some seconds.',
    }),
  },
  { $id: 'FinishedBulkLoad' },
)
export type FinishedBulkLoad = Static<typeof FinishedBulkLoad>

export const RotateKeyRequest = Type.Object(
  {
    grace_seconds: Optional.Integer({
      minimum: 0,
      maximum: KEY_GRACE_MAX_SECONDS,
      default: KEY_GRACE_DEFAULT_SECONDS,
      description: 'How long the previous secret stays valid.',
    }),
  },
  { $id: 'RotateKeyRequest' },
)
export type RotateKeyRequest = Static<typeof RotateKeyRequest>

export const RotatedKey = Type.Object(
  { secret: Type.String(), previous_valid_until: Type.String({ format: 'date-time' }) },
  { $id: 'RotatedKey' },
)

const keyUse = {
  created_at: Optional.String({ format: 'date-time' }),
  last_used_at: Optional.String({
    format: 'date-time',
    description: 'Precise to the minute; absent if never used.',
  }),
}

/** The purpose of a secret: reading, writing, sending events, signing the ids of users. */
export const KEY_KINDS = ['read', 'write', 'events', 'signing'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

/** A secret of a store. Secrets that are public by design can be read again. */
export const StoreKey = Type.Object(
  {
    kind: Type.Enum([...KEY_KINDS]),
    secret: Optional.String({
      description: 'Absent for `write` and `signing`, which are shown only when created.',
    }),
    ...keyUse,
    previous: Optional.Object(
      { valid_until: Type.String({ format: 'date-time' }), ...keyUse },
      { description: 'The previous secret, while it is still valid.' },
    ),
  },
  { $id: 'StoreKey' },
)
export type StoreKey = Static<typeof StoreKey>

export const StoreKeys = Type.Object({ keys: Type.Array(StoreKey) }, { $id: 'StoreKeys' })
export type StoreKeys = Static<typeof StoreKeys>

export const RevokedKey = Type.Object(
  {
    kind: Type.Enum([...KEY_KINDS]),
    status: Type.Literal('revoked'),
    revoked: Type.Integer({ description: '1, or 0 if there was no previous secret.' }),
  },
  { $id: 'RevokedKey' },
)
export type RevokedKey = Static<typeof RevokedKey>

export type CreatedStore = Static<typeof CreatedStore>
export type StoreSummary = Static<typeof StoreSummary>
export type StoreList = Static<typeof StoreList>
export type DeletedStore = Static<typeof DeletedStore>
export type RotatedKey = Static<typeof RotatedKey>
