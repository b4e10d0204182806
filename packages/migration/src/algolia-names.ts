/** The content of parentheses: `searchable(brand)`, `unordered(title)`, `desc(price)`. */
export function inner(text: string): string {
  const [start, end] = [text.indexOf('('), text.lastIndexOf(')')]
  return start > 0 && end > start ? text.slice(start + 1, end) : text
}

/** An object stands for all its members. */
export function isNamed(path: string, names: readonly string[]): boolean {
  return names.some((name) => name === path || path.startsWith(`${name}.`))
}
