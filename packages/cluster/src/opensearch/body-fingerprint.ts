import { crc32 } from 'node:zlib'
import { createAnalyzer, SAMPLE_SCHEMA, sampleDocuments } from '@aisle/engine'
import { allocateSlots } from './field-slots.ts'
import { productBody } from './product-body.ts'
import { CUT_MARK } from './product-terms.ts'
import { CUT_MARK_IN_JSON } from './product-words.ts'

const fingerprints = new Map<string, number>()

/**
 * Identifies how this version of the program turns documents of a language into terms: the checksum
 * of the bodies of a sample. Documents of another fingerprint may lack terms that searches of this
 * version look for. So no version number needs to be increased by hand.
 */
export function bodyFingerprint(language: string): number {
  let fingerprint = fingerprints.get(language)
  if (fingerprint === undefined) {
    fingerprint = madeFingerprint(language)
    fingerprints.set(language, fingerprint)
  }
  return fingerprint
}

function madeFingerprint(language: string): number {
  const shape = {
    scope: 'sample',
    schema: SAMPLE_SCHEMA,
    slots: allocateSlots(SAMPLE_SCHEMA, []),
    analyzer: createAnalyzer(language),
  }
  let checksum = 0
  for (const { id, docKey, values } of sampleDocuments(language)) {
    const product = { id, docKey, inserted: docKey, json: '{}', writtenMs: 0, values }
    const body = productBody(shape, product, 'sample')
    // As former versions wrote it: an escape changes no term.
    checksum = crc32(body.replaceAll(CUT_MARK_IN_JSON, CUT_MARK), checksum)
  }
  return checksum
}
