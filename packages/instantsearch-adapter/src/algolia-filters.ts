/** A name or value in quotes, or bare; an operator; a parenthesis. */
const PART = /\s*(?:("[^"]*"|'[^']*')|(<=|>=|!=|[<>=():])|([^\s"'<>=!():&|*`[\]{}]+))/y
const COMPARISON = ['<', '<=', '>', '>=', '=', '!=']

/**
 * Translates `filters` in the words of Algolia (`brand:"Red Wing" AND price > 10`) to our language.
 *
 * @returns the text as it is if it is not in these words
 */
export function translated(filters: string): string {
  const parts = partsOf(filters.trim())
  if (parts === undefined) return filters
  let text = ''
  for (let i = 0; i < parts.length;) {
    const part = parts[i]!
    if (/^(?:AND|OR|NOT|[()])$/.test(part)) {
      text += `${part} `
      i++
      continue
    }
    const [operator, value, to, high] = parts.slice(i + 1)
    if (operator === undefined || value === undefined || /^[()]$/.test(value)) return filters
    if (operator === ':' && to === 'TO' && high !== undefined) {
      text += `${literal(part)}:[${value}..${high}] `
      i += 5
    } else if (operator === ':') {
      // Tests of our language.
      const isTest = value === 'exists' || value === 'null'
      if (COMPARISON.includes(value)) return filters
      text += `${literal(part)}:${isTest ? value : `=${literal(value)}`} `
      i += 3
    } else if (COMPARISON.includes(operator) && Number.isFinite(Number(value))) {
      text += `${literal(part)}:${operator}${value} `
      i += 3
    } else return filters
    const next = parts[i]
    if (next !== undefined && !/^(?:AND|OR|\))$/.test(next)) return filters
  }
  return text.trim()
}

function partsOf(filters: string): string[] | undefined {
  const parts: string[] = []
  PART.lastIndex = 0
  while (PART.lastIndex < filters.length) {
    const found = PART.exec(filters)
    if (found === null) return undefined
    parts.push(found[0].trim())
  }
  return parts
}

/** A name or value, so that all its characters are literal. */
function literal(part: string): string {
  const text = /^["']/.test(part) ? part.slice(1, -1) : part
  return `\`${text.replace(/[\\`]/g, '\\$&')}\``
}
