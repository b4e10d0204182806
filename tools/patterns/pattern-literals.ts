import { stripTypeScriptTypes } from 'node:module'
import { parse } from 'acorn'
import type { Token } from 'acorn'
import type { SourceFile } from '../lib/source-files.ts'

/** A regular expression as it stands in a file. */
export interface PatternLiteral {
  /** `path:line` of the first place. */
  readonly place: string
  readonly path: string
  /** Between the slashes. */
  readonly source: string
  readonly flags: string
}

/** Every regular expression of these files; of equal ones in a file the first. */
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
