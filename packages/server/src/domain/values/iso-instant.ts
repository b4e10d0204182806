const INSTANT =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-](?:0\d|1\d|2[0-3]):?[0-5]\d)$/i

/**
 * Parses an ISO 8601 time with an offset, so that it is the same moment everywhere.
 *
 * @returns milliseconds since 1970; undefined if it is not such a time
 */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  const [, day = '', time = '', seconds = ':00', zone = 'Z'] = match
  // Date.parse reads 30 February as 2 March.
  const isReal = new Date(Date.parse(`${day}T00:00Z`)).toJSON()?.startsWith(day) === true
  const offset = zone.includes(':') ? zone : zone.replace(/(\d\d)(\d\d)$/, '$1:$2')
  const ms = Date.parse(`${day}T${time}${seconds}${offset.toUpperCase()}`)
  return isReal && !Number.isNaN(ms) ? ms : undefined
}
