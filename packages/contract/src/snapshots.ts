import type { Static } from 'typebox'
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
