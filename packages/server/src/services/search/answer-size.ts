import { ANSWER_MAX_CHARS, ApiError } from '@aisle/contract'

/** Error for a response that would block all other requests while it is sent. */
export function answerTooLarge(): ApiError {
  return new ApiError(
    'answer_too_large',
    `The answer is longer than ${ANSWER_MAX_CHARS} characters: ask for fewer hits with \`per_page\`, or for fewer fields with \`return_fields\``,
    { param: 'per_page' },
  )
}
