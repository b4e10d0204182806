import { stripTypeScriptTypes } from 'node:module'
import { parse, type Token } from 'acorn'
import type { SourceFile } from '../lib/source-files.ts'

/** A regular expression literal in a file. */
export interface PatternLiteral {
  /** `path:line` of the first occurrence. */
  readonly place: string
  readonly path: string
  /** The text between the slashes. */
  readonly source: string
  readonly flags: string
}

/** Every distinct regular expression of each of these files; the first of equal ones. */
export function patternLiterals(files: readonly SourceFile[]): PatternLiteral[] {
  return files.flatMap(({ path, text }) => {
    const found = new Map<string, PatternLiteral>()
    // Types become blanks: offsets and lines stay.
    const code = stripTypeScriptTypes(text)
    const onToken = ({ type, value, loc }: Token & { value?: unknown }): void => {
      if (type.label !== 'regexp') return
      const { pattern: source, flags } = value as { pattern: string; flags: string }
      const name = `/${source}/${flags}`
      const place = `${path}:${loc!.start.line}`
      if (!found.has(name)) found.set(name, { place, path, source, flags })
    }
    parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true, onToken })
    return [...found.values()]
  })
}
