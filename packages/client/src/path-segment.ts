/**
 * One segment of a path. Addresses have no spelling of a segment that is empty, `.` or `..`: every
 * client resolves them (WHATWG URL, 4.4), so that the request would reach another route.
 *
 * @throws TypeError for these names
 */
export function pathSegment(name: string): string {
  if (name !== '' && name !== '.' && name !== '..') return encodeURIComponent(name)
  throw new TypeError(`Cannot address ${JSON.stringify(name)}: a path cannot contain this name`)
}
