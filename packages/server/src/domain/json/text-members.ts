/*
 * Walks over the members of an object that is known to be well-formed JSON, as text: stored
 * documents were checked when they were written (json-scanner.ts). Strings are skipped by searching
 * their closing quote, which V8 does many characters at a time.
 */

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const BACKSLASH = 0x5c
/** Maximum number of keys; the scanner handles more, and finds repeated ones with a map. */
const MEMBERS_MAX = 64

/**
 * Returns the members with wanted keys, in their order, joined by commas.
 *
 * @param isWanted of a key
 * @returns undefined if the scanner is needed: a key has an escape or is
 *   repeated, or there are very many
 */
export function wantedMembers(
  text: string,
  isWanted: (key: string) => boolean,
): string | undefined {
  const keys: string[] = []
  let members = ''
  let at = afterSpace(text, text.indexOf('{') + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = stringEnd(text, at)
    const key = text.slice(at + 1, keyEnd - 1)
    if (key.includes('\\') || keys.includes(key) || keys.length === MEMBERS_MAX) return undefined
    keys.push(key)
    const end = valueEnd(text, afterSpace(text, afterSpace(text, keyEnd) + 1))
    if (isWanted(key)) members += (members === '' ? '' : ',') + text.slice(at, end)
    at = afterSpace(text, end)
    if (text.charCodeAt(at) === COMMA) at = afterSpace(text, at + 1)
  }
  return members
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}

/** Returns the offset after the closing quote of the string that begins at an offset. */
function stringEnd(text: string, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf('"', at + 1)
    // The caller passed other text; the loop must end.
    if (at < 0) return text.length
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
}

function valueEnd(text: string, start: number): number {
  const code = text.charCodeAt(start)
  if (code === QUOTE) return stringEnd(text, start)
  if (code === OPEN_BRACE || code === OPEN_BRACKET) return containerEnd(text, start)
  let at = start
  for (; at < text.length; at++) {
    const end = text.charCodeAt(at)
    if (end === COMMA || end === CLOSE_BRACE || end <= 0x20) break
  }
  return at
}

function containerEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = stringEnd(text, at) - 1
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) return at + 1
  }
  return text.length
}
