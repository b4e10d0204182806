import fc from 'fast-check'

/**
 * JSON texts that `JSON.parse` reads correctly. V8 mistakes a key with an escape for another key
 * that it has seen at the same place and that ends with a backslash (nodejs/node#63785).
 */
export function jsonTexts(maxDepth: number): fc.Arbitrary<string> {
  return fc
    .jsonValue({ maxDepth })
    .map((value) => JSON.stringify(value))
    .filter((json) => !json.includes(String.raw`\\`))
}
