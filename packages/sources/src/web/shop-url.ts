import { isShopUrl } from '@aisle/contract'
import { SourceError } from '../source-error.ts'

/**
 * The address of a shop, as the base of its paths.
 *
 * @throws SourceError
 */
export function shopUrl(address: string): URL {
  const url = URL.parse(address)
  if (url === null || !isShopUrl(url)) {
    const shown = url === null ? address : `${url.protocol}//${url.host}${url.pathname}`
    throw new SourceError(
      'unreachable',
      `Cannot read "${shown}": expected an https URL without a user name`,
    )
  }
  url.search = ''
  url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}
