import { ApiError, DOCUMENT_MAX_BYTES, OBJECT_KEYS_MAX } from '@aisle/contract'
import { readDocumentId } from './document-rules.ts'
import type { DocumentWrite, FailedWrite } from './document-write.ts'
import { readObject, textOf, type JsonMember } from '../json/json-scan.ts'
import { JsonScanner, kindOf } from '../json/json-scanner.ts'
import { pickMembers } from '../json/json-splice.ts'

/** Maximum number of extra keys named in warnings, and of characters of each. */
const STRAY_KEYS_SHOWN_MAX = 10
const STRAY_KEY_MAX_CHARS = 100
const OPEN_BRACE = 0x7b
const ENTRY_KEYS: ReadonlySet<string> = new Set(['id', 'action', 'data'])
const ACTIONS = ['upsert', 'insert', 'update'] as const

/** Maximum bytes of an entry: its data plus an id, an action and white space. */
export const ENTRY_MAX_BYTES = DOCUMENT_MAX_BYTES + 65_536

/** A parsed entry: a write, or the reason why it is invalid, which never affects its neighbours. */
export type ReadEntry =
  | { readonly write: DocumentWrite; readonly warnings?: readonly string[] }
  | { readonly failed: FailedWrite }

/**
 * Reads one entry of a bulk: `{id?, action?, data}` with an object as `data` (wrapped), or an
 * object whose keys except `id` and `action` are the data (flat). Nothing may follow. Further keys
 * of a wrapped entry are named in warnings.
 */
export function readEntry(bytes: Uint8Array): ReadEntry {
  return readEntryOf(new JsonScanner(bytes), (scanner) => scanner.expectEnd())
}

/** Reads the entry at `start` of a text that is known to be well-formed; more text may follow. */
export function readEntryAt(
  bytes: Uint8Array,
  start: number,
): { readonly entry: ReadEntry; readonly end: number } {
  // Uses a separate scanner, because depth and faults are per entry.
  const scanner = new JsonScanner(bytes, start)
  const entry = readEntryOf(scanner, () => undefined)
  return { entry, end: scanner.position }
}

/** Moves past the entry, even if it is invalid, unless it is malformed. */
function readEntryOf(scanner: JsonScanner, checkEnd: (scanner: JsonScanner) => void): ReadEntry {
  const { bytes } = scanner
  let id: string | undefined
  try {
    const first = scanner.peek()
    const start = scanner.position
    if (first !== OPEN_BRACE && first !== -1) {
      scanner.skipValue()
      checkEnd(scanner)
      throw new ApiError('invalid_type', `An entry must be an object, received ${kindOf(first)}`)
    }
    const members = readObject(scanner, OBJECT_KEYS_MAX)
    checkEnd(scanner)
    checkEntrySize(scanner.position - start)
    // First, so that an error can name the document.
    const idMember = valueOf(members, 'id')
    if (idMember !== undefined) id = readDocumentId(bytes, idMember)
    scanner.throwNoted()
    const action = readAction(bytes, members)
    const data = valueOf(members, 'data')
    if (data?.kind !== 'object') return { write: { id, action, json: flatData(bytes, members) } }
    const write = { id, action, json: bytes.subarray(data.start, data.end) }
    const stray = members.filter(({ key }) => !ENTRY_KEYS.has(key))
    if (stray.length === 0) return { write }
    return { write, warnings: stray.slice(0, STRAY_KEYS_SHOWN_MAX).map(strayWarning) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { failed: failedWrite(id, error) }
  }
}

function strayWarning({ key }: JsonMember): string {
  const name = key.slice(0, STRAY_KEY_MAX_CHARS).toWellFormed()
  return `\`${name}\` is ignored: it is beside \`data\`, not inside it`
}

/** `upsert` if absent. @throws ApiError invalid_parameter */
export function readAction(
  bytes: Uint8Array,
  members: readonly JsonMember[],
): DocumentWrite['action'] {
  const member = valueOf(members, 'action')
  if (member === undefined) return 'upsert'
  const text = textOf(bytes, member.start, Math.min(member.end, member.start + 32))
  const action = ACTIONS.find((known) => text === `"${known}"`)
  if (action !== undefined) return action
  throw new ApiError('invalid_parameter', '"action" must be "upsert", "insert" or "update"', {
    param: 'action',
  })
}

/** @throws ApiError payload_too_large */
export function checkEntrySize(lengthBytes: number): void {
  if (lengthBytes <= ENTRY_MAX_BYTES) return
  throw new ApiError(
    'payload_too_large',
    `An entry has more than ${ENTRY_MAX_BYTES} bytes; a document may have ${DOCUMENT_MAX_BYTES}`,
  )
}

export function failedWrite(id: string | undefined, error: ApiError): FailedWrite {
  const { code, message, details, current } = error
  const failed = { status: 'failed', id: id ?? '', code, message, details } as const
  return current === undefined ? failed : { ...failed, current }
}

/** `null` counts as absent. */
function valueOf(members: readonly JsonMember[], key: string): JsonMember | undefined {
  const member = members.find((candidate) => candidate.key === key)
  return member?.kind === 'null' ? undefined : member
}

function flatData(bytes: Uint8Array, members: readonly JsonMember[]): Uint8Array {
  return pickMembers(
    bytes,
    members.filter(({ key }) => key !== 'id' && key !== 'action'),
  )
}
