import { crc32 } from 'node:zlib'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { DictionaryWriter, packStrings } from '../dictionary/shared-dictionary.ts'
import { packTerms, TermWriter } from '../dictionary/term-store.ts'
import type { Schema } from '../schema/schema.ts'
import { buildSegment } from '../segment/segment-builder.ts'
import { SAMPLE_SCHEMA, sampleDocuments } from './index-sample.ts'

/**
 * Fingerprints of languages that most stores have, so that a start need not compute them (50 ms, a
 * twentieth of opening a million documents). The test checks them.
 */
const KNOWN: ReadonlyMap<string, number> = new Map([['en', 2_716_630_830]])
/** Unicode version for which they hold, because folding uses its tables. */
const KNOWN_UNICODE = '17.0'

const fingerprints = new Map(process.versions['unicode'] === KNOWN_UNICODE ? KNOWN : [])

/**
 * Identifies how this version of the program turns text into an index: the checksum of the index of
 * a sample. A version with another fingerprint would find other words in the same documents, so its
 * files are rebuilt. No version number has to be maintained by hand.
 */
export function indexFingerprint(language: string): number {
  let fingerprint = fingerprints.get(language)
  if (fingerprint === undefined) {
    fingerprint = madeFingerprint(language)
    fingerprints.set(language, fingerprint)
  }
  return fingerprint
}

/**
 * The fingerprint of an index with fields in other languages, whose rules affect its contents too.
 */
export function schemaFingerprint(language: string, { fields }: Schema): number {
  const tags = fields.flatMap((field) => (field.searchable ? (field.language ?? []) : []))
  const others = new Set(tags.map((tag) => createAnalyzer(tag).language))
  others.delete(createAnalyzer(language).language)
  const own = indexFingerprint(language)
  if (others.size === 0) return own
  const all = [own, ...Array.from(others, indexFingerprint).sort((a, b) => a - b)]
  return crc32(new Uint8Array(Uint32Array.from(all).buffer))
}

/** The fingerprint as computed by the program. */
export function madeFingerprint(language: string): number {
  const terms = new TermWriter()
  const values = [undefined, new DictionaryWriter(), undefined, undefined]
  const { buffer } = buildSegment(
    {
      schema: SAMPLE_SCHEMA,
      analyzer: createAnalyzer(language),
      terms,
      values,
    },
    sampleDocuments(language),
  )
  const packed = packTerms(terms.frozen())
  let checksum = crc32(new Uint8Array(buffer))
  const rows = Int32Array.from(packed.rows)
  for (const part of [rows, packed.strings.arena, packStrings(values[1]!.handles()).arena]) {
    checksum = crc32(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), checksum)
  }
  return checksum
}
