/**
 * Orders strings by code point. UTF-16 units give the same order except for surrogates
 * (U+D800..U+DFFF, the halves of characters beyond U+FFFF), which must sort after U+E000..U+FFFF,
 * so both ranges are shifted.
 *
 * @returns negative, 0 or positive, as `Array.sort` expects
 */
export function compareByCodePoint(a: string, b: string): number {
  if (a === b) return 0
  const length = a.length < b.length ? a.length : b.length
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return unitOrder(left) - unitOrder(right)
  }
  return a.length - b.length
}

/** Sort position of a UTF-16 unit: the first differing units decide the order of two strings. */
export function unitOrder(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
