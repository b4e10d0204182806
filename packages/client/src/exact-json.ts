/**
 * Parses JSON into values whose numbers keep their text: `JSON.stringify` writes them with every
 * digit. On platforms without `JSON.rawJSON`, numbers are plain numbers.
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

/** Creates a number as `parseExactly` does, from the digits of a JSON text. */
export function exactNumber(json: string): unknown {
  return RAW.rawJSON === undefined ? Number(json) : RAW.rawJSON(json)
}

/** Whether a value is a number of `parseExactly`, which is an object in JavaScript. */
export function isExactNumber(value: unknown): boolean {
  return RAW.isRawJSON?.(value) ?? false
}

/** Part of ECMAScript 2026, not yet in TypeScript's library. */
const RAW = JSON as unknown as {
  rawJSON?: (text: string) => unknown
  isRawJSON?: (value: unknown) => boolean
}
