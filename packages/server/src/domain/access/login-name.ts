import { ApiError, LOGIN_MAX_CHARS, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '@aisle/contract'

/** No blanks, control or invisible characters: names that look alike must be the same user. */
const LOGIN = /^[^\s\p{C}]+$/u

/** The canonical form of a login name: case does not matter. */
export function normalLogin(login: string): string {
  return login.normalize('NFKC').toLowerCase()
}

/** @returns the normal form @throws ApiError invalid_parameter */
export function checkLogin(login: string): string {
  const normal = normalLogin(login)
  if (normal.length <= LOGIN_MAX_CHARS && LOGIN.test(normal)) return normal
  throw new ApiError(
    'invalid_parameter',
    `"login" must be 1 to ${LOGIN_MAX_CHARS} characters without spaces or control characters`,
    { param: 'login' },
  )
}

/**
 * Only length counts (NIST SP 800-63B, 2017); there are no rules about kinds of characters.
 *
 * @throws ApiError invalid_parameter; the message never contains the password
 */
export function checkNewPassword(password: string, login: string, param: string): string {
  const isGood = password.length >= PASSWORD_MIN_CHARS && password.length <= PASSWORD_MAX_CHARS
  if (!isGood || !password.isWellFormed()) {
    throw new ApiError(
      'invalid_parameter',
      `\`${param}\` must be a string of ${PASSWORD_MIN_CHARS} to ${PASSWORD_MAX_CHARS} characters`,
      { param },
    )
  }
  if (normalLogin(password) === login || new Set(password).size === 1) {
    throw new ApiError('invalid_parameter', `\`${param}\` is too easy to guess`, { param })
  }
  return password
}
