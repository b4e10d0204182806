import { ANSWER_MAX_CHARS, ApiError } from '@aisle/contract'

const CONTINUATION_MASK = 0xc0
const CONTINUATION = 0x80
/** The first byte of a sequence of four bytes, which is a character of two UTF-16 code units. */
const FOUR_BYTES = 0xf0

/** Number of UTF-16 code units of UTF-8 text: what its length is as a string. */
export function charCount(utf8: Uint8Array): number {
  let count = 0
  // Inner loop: texts of megabytes.
  for (let i = 0; i < utf8.length; i++) {
    const byte = utf8[i]!
    if ((byte & CONTINUATION_MASK) === CONTINUATION) continue
    count += byte >= FOUR_BYTES ? 2 : 1
  }
  return count
}

/** Error for a response that would block all other requests while it is sent. */
export function answerTooLarge(): ApiError {
  return new ApiError(
    'answer_too_large',
    `The answer is longer than ${ANSWER_MAX_CHARS} characters: ask for fewer hits with \`per_page\`, or for fewer fields with \`return_fields\``,
    { param: 'per_page' },
  )
}
