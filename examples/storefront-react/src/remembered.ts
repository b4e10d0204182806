/** Lists in the browser's storage; where there is none, they last as long as the page. */
const kept = new Map<string, readonly string[]>()

export function remembered(name: string): readonly string[] {
  const known = kept.get(name)
  if (known !== undefined) return known
  let list: readonly string[] = []
  try {
    const value: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
    if (Array.isArray(value)) list = value.filter((one) => typeof one === 'string')
  } catch {
    // Refused, or written by something else.
  }
  kept.set(name, list)
  return list
}

export function remember(name: string, list: readonly string[]): void {
  kept.set(name, list)
  try {
    localStorage.setItem(name, JSON.stringify(list))
  } catch {
    // Full, or refused.
  }
}

/** Puts a text first, once. */
export function rememberFirst(name: string, text: string, most: number): void {
  remember(name, [text, ...remembered(name).filter((one) => one !== text)].slice(0, most))
}
