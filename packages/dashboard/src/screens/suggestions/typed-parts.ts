export interface TypedPart {
  readonly text: string
  /** The visitor has typed it already: it stands back, the rest stands out. */
  readonly isTyped: boolean
}

/** A suggestion in what was typed and what is offered, without regard to case. */
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
