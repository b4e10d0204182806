/** The inverse of `parseExact`: JSON with every digit of a bigint. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? rawJson(part.toString()) : part,
  )
}

/** Not in TypeScript's library yet: JSON.rawJSON of ECMAScript 2026. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }
