import type { DocumentWrite } from '../../ports/catalog/catalog-writer.ts'

/**
 * A batch of writes in the form in which threads pass it: one block of bytes that is transferred,
 * not copied. (Cloning 500 views of one request body would copy that body 500 times.)
 */
export interface PackedWrites {
  readonly ids: readonly (string | undefined)[]
  /** Index into ACTIONS. */
  readonly actions: Uint8Array<ArrayBuffer>
  /** End of the JSON of each write in `bytes`. */
  readonly ends: Uint32Array<ArrayBuffer>
  readonly bytes: ArrayBuffer
  /** `ifMatch` of each write; absent: no write has one. */
  readonly conditions?: readonly (string | undefined)[]
  /** `isTagged` of each write; absent: no write is. */
  readonly tagged?: readonly boolean[]
}

const ACTIONS = ['upsert', 'insert', 'update'] as const

export function packWrites(writes: readonly DocumentWrite[]): PackedWrites {
  const bytes = new Uint8Array(jsonBytes(writes))
  const actions = new Uint8Array(writes.length)
  const ends = new Uint32Array(writes.length)
  let offset = 0
  for (const [i, { action, json }] of writes.entries()) {
    bytes.set(json, offset)
    offset += json.length
    ends[i] = offset
    actions[i] = ACTIONS.indexOf(action)
  }
  const isFree = writes.every(({ ifMatch }) => ifMatch === undefined)
  const tagged = writes.map(({ isTagged }) => isTagged === true)
  return {
    ids: writes.map((write) => write.id),
    actions,
    ends,
    bytes: bytes.buffer,
    ...(isFree ? {} : { conditions: writes.map(({ ifMatch }) => ifMatch) }),
    ...(tagged.includes(true) ? { tagged } : {}),
  }
}

export function unpackWrites({
  ids,
  actions,
  ends,
  bytes,
  conditions,
  tagged,
}: PackedWrites): DocumentWrite[] {
  let start = 0
  return ids.map((id, i) => {
    const end = ends[i]!
    // A Buffer, because each of the many reads of text from a plain array would create one.
    const json = Buffer.from(bytes, start, end - start)
    start = end
    const ifMatch = conditions?.[i]
    return {
      id,
      action: ACTIONS[actions[i]!]!,
      json,
      ...(ifMatch === undefined ? {} : { ifMatch }),
      ...(tagged?.[i] === true ? { isTagged: true } : {}),
    }
  })
}

function jsonBytes(writes: readonly DocumentWrite[]): number {
  return writes.reduce((sum, write) => sum + write.json.length, 0)
}
