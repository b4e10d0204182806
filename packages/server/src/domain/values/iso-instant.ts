const INSTANT =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-](?:0\d|1\d|2[0-3]):?[0-5]\d)$/i

/**
 * Reads a time of ISO 8601 with an offset, so that it is the same moment everywhere.
 *
 * @returns milliseconds since 1970; undefined when it is none
 */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  const [, day = '', time = '', seconds = ':00', zone = 'Z'] = match
  // Date.parse takes 30 February for 2 March.
  const isReal = new Date(Date.parse(`${day}T00:00Z`)).toJSON()?.startsWith(day) === true
  const offset = zone.includes(':') ? zone : zone.replace(/(\d\d)(\d\d)$/, '$1:$2')
  const ms = Date.parse(`${day}T${time}${seconds}${offset.toUpperCase()}`)
  return isReal && !Number.isNaN(ms) ? ms : undefined
}
