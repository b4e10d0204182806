import { selectedMembers, type PathSelection } from './json-paths.ts'
import { asBuffer, scanMembers, textOf, type JsonMember } from './json-scan.ts'
import { wantedMembers } from './text-members.ts'

/**
 * Composes JSON objects from pieces of other texts. Values are copied byte for byte, so that `1.0`,
 * `1e3` and `9223372036854775807` are unchanged; nothing is parsed only to be printed again.
 */

/** A member in a text: from the quote of its key to the end of its value. */
interface Piece {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

export interface SpliceOptions {
  /** Puts `"id"` first. A member `id` of the data is never shown otherwise. */
  readonly withId: boolean
  /** Shows only these fields. */
  readonly include?: ReadonlySet<string> | undefined
  /** Hides these fields, even if included. */
  readonly exclude?: ReadonlySet<string> | undefined
  /** The same by path, instead of both, if some fields are inside of objects. */
  readonly paths?: PathSelection | undefined
}

/**
 * Returns the document for a response: the requested fields of `json`, with its id.
 *
 * @param json a well-formed object
 */
export function spliceDocument(json: Uint8Array, id: string, options: SpliceOptions): Buffer {
  const { withId, include, exclude } = options
  const idPiece = withId ? memberPiece('id', JSON.stringify(id)) : undefined
  if (options.paths !== undefined) {
    const members = selectedMembers(json, options.paths, 'id')
    const all = [
      ...(withId ? [`"id":${JSON.stringify(id)}`] : []),
      ...(members === '' ? [] : [members]),
    ]
    return Buffer.from(`{${all.join()}}`)
  }
  if (include === undefined && exclude === undefined && !mayHaveId(json)) {
    return idPiece === undefined ? asBuffer(json) : prepend(idPiece, json)
  }
  const pieces = idPiece === undefined ? [] : [idPiece]
  for (const member of scanMembers(json)) {
    if (member.key === 'id' || exclude?.has(member.key) === true) continue
    if (include === undefined || include.has(member.key)) pieces.push(pieceOf(json, member))
  }
  return joinObject(pieces)
}

/**
 * The same as text: nearly every document is read in one pass, without a conversion to bytes.
 *
 * @param text the document, a well-formed object
 * @param json its bytes
 */
export function spliceText(
  text: string,
  json: Uint8Array,
  id: string,
  options: SpliceOptions,
): string {
  const { withId, include, exclude } = options
  if (options.paths !== undefined) {
    const spliced = spliceDocument(json, id, options)
    return textOf(spliced, 0, spliced.length)
  }
  const isWhole = include === undefined && exclude === undefined
  const idMember = withId ? `"id":${JSON.stringify(id)}` : ''
  if (isWhole && !text.includes('"id"') && !text.includes('\\u00')) {
    return withId ? memberInFront(idMember, text) : text
  }
  const members = wantedMembers(
    text,
    (key) =>
      key !== 'id' && exclude?.has(key) !== true && (include === undefined || include.has(key)),
  )
  if (members !== undefined) {
    return `{${idMember}${idMember === '' || members === '' ? '' : ','}${members}}`
  }
  const spliced = spliceDocument(json, id, options)
  return textOf(spliced, 0, spliced.length)
}

function memberInFront(member: string, object: string): string {
  let first = object.indexOf('{') + 1
  while (object.charCodeAt(first) <= 0x20) first++
  const isEmpty = object.charCodeAt(first) === 0x7d
  return `{${member}${isEmpty ? '' : ','}${object.slice(first)}`
}

/**
 * Returns the result of `update`: members of the patch replace those of the document in place, new
 * ones are appended, `null` removes one. Objects are merged by member; other values, arrays
 * included, are replaced as a whole.
 *
 * @param isObject whether the members at this path are merged; other JSON objects are values
 * @param path of the two objects: `specs.`
 */
export function mergeObjects(
  document: Uint8Array,
  patch: Uint8Array,
  isObject: (path: string) => boolean,
  path = '',
): Buffer {
  const pieces = new Map<string, Piece>()
  const objects = new Map<string, Uint8Array>()
  for (const member of scanMembers(document)) {
    const { key, kind, start, end } = member
    pieces.set(key, pieceOf(document, member))
    objects.set(key, kind === 'object' ? document.subarray(start, end) : EMPTY_OBJECT)
  }
  for (const member of scanMembers(patch)) {
    const { key, kind, start, end } = member
    const at = path + key
    if (kind === 'null') pieces.delete(key)
    else if (kind === 'object' && isObject(at)) {
      const before = objects.get(key) ?? EMPTY_OBJECT
      const merged = mergeObjects(before, patch.subarray(start, end), isObject, `${at}.`)
      pieces.set(key, memberPiece(key, merged.toString()))
    } else pieces.set(key, pieceOf(patch, member))
  }
  return joinObject([...pieces.values()])
}

const EMPTY_OBJECT = Buffer.from('{}')

/**
 * An object with some members of a text. Members with a single byte between them (a comma) form one
 * piece.
 */
export function pickMembers(bytes: Uint8Array, members: readonly JsonMember[]): Buffer {
  const pieces: Piece[] = []
  for (let i = 0; i < members.length; i++) {
    const first = members[i]!
    while (i + 1 < members.length && members[i + 1]!.keyStart === members[i]!.end + 1) i++
    pieces.push({ bytes, start: first.keyStart, end: members[i]!.end })
  }
  return joinObject(pieces)
}

function pieceOf(bytes: Uint8Array, member: JsonMember): Piece {
  return { bytes, start: member.keyStart, end: member.end }
}

function memberPiece(key: string, valueJson: string): Piece {
  const bytes = Buffer.from(`${JSON.stringify(key)}:${valueJson}`)
  return { bytes, start: 0, end: bytes.length }
}

function joinObject(pieces: readonly Piece[]): Buffer {
  let length = 2 + Math.max(0, pieces.length - 1)
  for (const piece of pieces) length += piece.end - piece.start
  const out = Buffer.allocUnsafe(length)
  let at = 0
  out[at++] = 0x7b
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) out[at++] = 0x2c
    at += asBuffer(piece.bytes).copy(out, at, piece.start, piece.end)
  }
  out[at] = 0x7d
  return out
}

/** The object with one more member in front. */
function prepend(piece: Piece, object: Uint8Array): Buffer {
  const members = membersBehindBrace(object)
  if (members[0] === 0x7d) return joinObject([piece])
  const out = Buffer.allocUnsafe(2 + (piece.end - piece.start) + members.length)
  out[0] = 0x7b
  let at = 1 + asBuffer(piece.bytes).copy(out, 1, piece.start, piece.end)
  out[at++] = 0x2c
  out.set(members, at)
  return out
}

/** Returns an object without its opening brace and the space after it. */
export function membersBehindBrace(object: Uint8Array): Uint8Array {
  let first = object.indexOf(0x7b) + 1
  while (object[first]! <= 0x20) first++
  return object.subarray(first)
}

/** Whether some member may be called `id`, possibly with an escape in its key. */
export function mayHaveId(json: Uint8Array): boolean {
  const buffer = asBuffer(json)
  return buffer.includes('"id"') || buffer.includes('\\u00')
}
