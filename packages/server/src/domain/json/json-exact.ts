/** The inverse of `parseExact`: JSON with every digit of a bigint. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? rawJson(part.toString()) : part,
  )
}

/** A number in JSON as these digits. Not in TypeScript's library yet: ECMAScript 2026. */
export const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }
