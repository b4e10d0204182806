/**
 * JSON as values whose numbers stay the text that they are: `JSON.stringify` writes them with every
 * digit. Where the platform lacks `JSON.rawJSON`, numbers are numbers.
 *
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && RAW.rawJSON !== undefined
      ? RAW.rawJSON(context?.source ?? String(value))
      : value,
  )
}

/** A number of `parseExactly`, with the digits of a JSON text. */
export function exactNumber(json: string): unknown {
  return RAW.rawJSON === undefined ? Number(json) : RAW.rawJSON(json)
}

/** A number of `parseExactly`, which is an object in JavaScript. */
export function isExactNumber(value: unknown): boolean {
  return RAW.isRawJSON?.(value) ?? false
}

/** Of ECMAScript 2026, not yet in TypeScript's library. */
const RAW = JSON as unknown as {
  rawJSON?: (text: string) => unknown
  isRawJSON?: (value: unknown) => boolean
}
