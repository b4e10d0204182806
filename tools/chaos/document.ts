import { crc32 } from 'node:zlib'

/** Fields of the written documents. */
export const CHAOS_FIELDS = [
  { name: 'version', type: 'int64', facet: true, sort: true },
  { name: 'word', type: 'string', searchable: true },
  { name: 'body', type: 'string', searchable: true },
  { name: 'sum', type: 'int64', facet: true },
]

const BODY_WORDS = [
  'copper',
  'lantern',
  'meadow',
  'granite',
  'harbour',
  'velvet',
  'thistle',
  'ember',
]

/**
 * A document whose version can be recognized and searched, and whose completeness can be checked.
 */
export function chaosDocument(version: number): Record<string, unknown> {
  const body = Array.from(
    { length: 5 + (version % 60) },
    (_, i) => BODY_WORDS[(version + i * i) % BODY_WORDS.length],
  ).join(' ')
  return { version, word: wordOf(version), body, sum: crc32(`${version} ${body}`) }
}

/** A word unique to this version. */
export function wordOf(version: number): string {
  return `v${String(version).padStart(9, '0')}x`
}

/** @returns the version, or a problem of the document */
export function versionOf(data: Record<string, unknown>): number | string {
  const { version, word, body, sum } = data
  if (typeof version !== 'number') return `no version in ${JSON.stringify(data).slice(0, 200)}`
  const whole = sum === crc32(`${version} ${String(body)}`) && word === wordOf(version)
  return whole ? version : `half a document: ${JSON.stringify(data).slice(0, 200)}`
}
