import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, fstatSync } from 'node:fs'

/** Files up to this size are read whole. */
const SAMPLES = 32
const SAMPLE_BYTES = 32_768

/**
 * A digest of a file's size and of samples of its bytes, which takes milliseconds where the whole
 * file would take seconds of a start. Two trainings of a model differ everywhere.
 */
export function sampleOf(path: string): string {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    hash.update(String(size))
    const bytes = new Uint8Array(SAMPLE_BYTES)
    const step = Math.max(SAMPLE_BYTES, Math.floor((size - SAMPLE_BYTES) / (SAMPLES - 1)))
    for (let at = 0; at < size; at += step) {
      hash.update(bytes.subarray(0, readSync(file, bytes, 0, SAMPLE_BYTES, at)))
    }
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}
