/**
 * Orders strings by code point. JavaScript's `<` orders by UTF-16 unit instead, which puts
 * characters beyond U+FFFF (written as surrogates, U+D800 up) before U+E000..U+FFFF.
 *
 * @returns negative, 0 or positive, as `Array.sort` expects
 */
export function compareCodePoints(a: string, b: string): number {
  const left = [...a]
  const right = [...b]
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Number of code points in a string: roughly what a person calls its length. */
export function codePointCount(text: string): number {
  return [...text].length
}
