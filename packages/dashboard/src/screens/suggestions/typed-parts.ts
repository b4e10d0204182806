export interface TypedPart {
  readonly text: string
  /** The part that the visitor has typed: it is muted, and the rest is emphasised. */
  readonly isTyped: boolean
}

/** Splits a suggestion into the typed and the offered part, ignoring case. */
export function typedParts(suggestion: string, typed: string): readonly TypedPart[] {
  const wanted = typed.trim()
  const at = wanted === '' ? -1 : suggestion.toLocaleLowerCase().indexOf(wanted.toLocaleLowerCase())
  if (at < 0) return [{ text: suggestion, isTyped: false }]
  const end = at + wanted.length
  return [
    { text: suggestion.slice(0, at), isTyped: false },
    { text: suggestion.slice(at, end), isTyped: true },
    { text: suggestion.slice(end), isTyped: false },
  ].filter(({ text }) => text !== '')
}
