/** Lists in the browser's storage; without storage they last as long as the page. */
const kept = new Map<string, readonly string[]>()

export function remembered(name: string): readonly string[] {
  const known = kept.get(name)
  if (known !== undefined) return known
  let list: readonly string[] = []
  try {
    const value: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
    if (Array.isArray(value)) list = value.filter((one) => typeof one === 'string')
  } catch {
    // Refused, or written by another program.
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

/** Moves a text to the front, without duplicates. */
export function rememberFirst(name: string, text: string, most: number): void {
  remember(name, [text, ...remembered(name).filter((one) => one !== text)].slice(0, most))
}
