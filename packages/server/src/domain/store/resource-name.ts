import { ApiError, RESOURCE_NAME_MAX_CHARS } from '@aisle/contract'

/** Letters of any script, digits, and a few marks; no comma, which separates names in a URL. */
const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N} _.:-]*[\p{L}\p{M}\p{N}_.:-])?$/u

/** @param param that contains the name @throws ApiError invalid_parameter */
export function checkResourceName(name: string, param = 'name'): string {
  if (name.length <= RESOURCE_NAME_MAX_CHARS && NAME.test(name)) return name
  throw new ApiError(
    'invalid_parameter',
    `${param === 'name' ? 'The name in the path' : `Parameter \`${param}\``} must be 1 to ${RESOURCE_NAME_MAX_CHARS} letters, digits, spaces, "_", "-", "." or ":", and begin with a letter, a digit or "_"`,
    { param },
  )
}
