/*
 * Walks over the members of an object that is known to be well-formed JSON, as bytes: stored
 * documents were checked when they were written (json-scanner.ts). They are short, so a look at
 * each byte takes less time than making a string.
 */

export const QUOTE = 0x22
export const COMMA = 0x2c
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Returns the offset after the opening brace of the object. */
export function insideObject(json: Uint8Array): number {
  let at = 0
  while (at < json.length && json[at] !== OPEN_BRACE) at++
  return afterSpace(json, at + 1)
}

export function afterSpace(json: Uint8Array, from: number): number {
  let at = from
  while (at < json.length && json[at]! <= 0x20) at++
  return at
}

/** Bytes of a string after which a native search for its quote takes less time. */
const LOOPED_BYTES = 32

/** Returns the offset after the closing quote of the string that begins at an offset. */
export function stringEnd(json: Uint8Array, start: number): number {
  let at = start + 1
  // Keys and short values are nearly all strings.
  for (const looped = Math.min(at + LOOPED_BYTES, json.length); at < looped; at++) {
    const byte = json[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
  }
  for (let from = at; ; from = at + 1) {
    at = json.indexOf(QUOTE, from)
    // The caller passed other JSON.
    if (at < 0) return json.length
    let backslashes = 0
    while (at - backslashes > from && json[at - backslashes - 1] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
}

export function valueEnd(json: Uint8Array, start: number): number {
  const first = json[start]
  if (first === QUOTE) return stringEnd(json, start)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return containerEnd(json, start)
  let at = start
  for (; at < json.length; at++) {
    const byte = json[at]!
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte <= 0x20) break
  }
  return at
}

function containerEnd(json: Uint8Array, start: number): number {
  let depth = 0
  for (let at = start; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = stringEnd(json, at) - 1
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at + 1
  }
  return json.length
}
