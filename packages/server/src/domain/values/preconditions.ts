import { createHash } from 'node:crypto'
import { ApiError } from '@aisle/contract'

/** Characters of an ETag: 132 bits of a SHA-256. */
const TAG_CHARS = 22

/** The `ETag` of a representation (RFC 9110, section 8.8.3). @param json its text, or UTF-8 */
export function etagOf(json: string | Uint8Array): string {
  return `"${createHash('sha256').update(json).digest('base64url').slice(0, TAG_CHARS)}"`
}

/**
 * Compares the `If-Match` of a request (RFC 9110, section 13.1.1) with what is stored.
 *
 * @param ifMatch absent: the last write wins
 * @param current the JSON of what is stored; undefined: nothing is
 * @param etag of `current`
 * @throws ApiError precondition_failed, with `current`
 */
export function requireMatch(
  ifMatch: string | undefined,
  current: string | undefined,
  etag = current === undefined ? undefined : etagOf(current),
): void {
  if (matches(ifMatch, etag)) return
  const message =
    current === undefined
      ? 'Nothing was changed: it does not exist, or has been deleted since you read it'
      : 'Nothing was changed: it has changed since you read it; `current` is the latest version'
  throw new ApiError('precondition_failed', message, { current })
}

/**
 * The same for a list. It may have megabytes, so the error has only its newest `ETag`.
 *
 * @param list the JSON of the list
 * @throws ApiError precondition_failed
 */
export function requireListMatch(ifMatch: string | undefined, list: () => string): void {
  if (ifMatch === undefined) return
  const etag = etagOf(list())
  if (matches(ifMatch, etag)) return
  const message =
    'Nothing was changed: the list has changed since you read it; read it again, `current.etag` is that of the latest version'
  throw new ApiError('precondition_failed', message, { current: JSON.stringify({ etag }) })
}

function matches(ifMatch: string | undefined, etag: string | undefined): boolean {
  if (ifMatch === undefined) return true
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  return etag !== undefined && (tags.includes('*') || tags.includes(etag))
}
