/**
 * Whether a name matches a pattern in which `wild` matches any text. Takes linear time: foreign
 * regular expressions are never run.
 */
export function matchesGlob(name: string, pattern: string, wild: string): boolean {
  const [first = '', ...rest] = pattern.split(wild)
  if (rest.length === 0) return name === pattern
  const last = rest.pop()!
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= end
}
