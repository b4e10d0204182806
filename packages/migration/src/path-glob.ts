/**
 * Whether a name has the form of a pattern in which `wild` stands for any text. Takes no more steps
 * than both have characters, as no expression of others is run.
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
