import { etagOf, requireMatch } from '../values/preconditions.ts'
import { textOf } from '../json/json-scan.ts'

interface TaggedDocument {
  readonly id: string
  readonly json: Uint8Array
}

/** A document as JSON text, with the data as stored. */
export function documentJson({ id, json }: TaggedDocument): string {
  return `{"id":${JSON.stringify(id)},"data":${textOf(json, 0, json.length)}}`
}

/**
 * The `ETag` of a document. It depends on the stored JSON alone, so it stays while the document is
 * moved, analysed again or given a vector.
 *
 * @param json the stored bytes
 */
export function documentTag(json: Uint8Array): string {
  return etagOf(json)
}

/**
 * Writers call it where they decide about the document, so nobody writes in between.
 *
 * @param ifMatch the header of that name; see `requireMatch`
 * @param stored undefined: there is no such document
 * @throws ApiError precondition_failed, with the newest document
 */
export function requireDocumentMatch(
  ifMatch: string | undefined,
  stored: TaggedDocument | undefined,
): void {
  if (ifMatch === undefined) return
  if (stored === undefined) requireMatch(ifMatch, undefined)
  else requireMatch(ifMatch, documentJson(stored), documentTag(stored.json))
}
