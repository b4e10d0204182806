import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { DocumentVersion } from '../../domain/documents/document-write.ts'
import type { ServicePorts } from '../service-ports.ts'
import type { Refusal } from './edit-record.ts'

/** Documents of one part: few enough that a cluster and the writer's loop stay free for others. */
export const PART_DOCUMENTS = 200

/** One part of an edit. */
export type EditPart =
  /** What it is to change. */
  | { readonly stage: 'targets'; readonly versions: readonly FoundVersion[] }
  /** What it changes, with the former documents; written before they are changed. */
  | {
      readonly stage: 'history'
      readonly documents: readonly FormerDocument[]
      /** Documents that are not changed. */
      readonly unchanged: number
      readonly skippedIds: readonly string[]
      readonly errors: readonly Refusal[]
    }

export interface FoundVersion extends DocumentVersion {
  /** Of its JSON; absent in parts of earlier versions of the service. */
  readonly digest?: string
}

export interface FormerDocument extends DocumentVersion {
  /** JSON as it was stored. */
  readonly before: string
  /** Digest of the JSON after the edit; null: deleted. */
  readonly after: string | null
}

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** @returns its size in bytes */
export async function writePart(
  { edits }: Pick<ServicePorts, 'edits'>,
  id: string,
  number: number,
  part: EditPart,
): Promise<number> {
  const bytes = await pack(JSON.stringify(part))
  await edits.putPart(id, number, bytes)
  return bytes.length
}

/** @returns undefined if it is no longer kept, or damaged */
export async function readPart(
  { edits }: Pick<ServicePorts, 'edits'>,
  id: string,
  number: number,
): Promise<EditPart | undefined> {
  const bytes = await edits.part(id, number)
  return bytes === undefined
    ? undefined
    : (JSON.parse((await unpack(bytes)).toString()) as EditPart)
}

export function digestOf(json: Uint8Array): string {
  return createHash('sha256').update(json).digest('base64').slice(0, 22)
}
