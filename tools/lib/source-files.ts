import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { REPOSITORY } from '@aisle/testing'

/** A text file of the repository, by its path from the root, with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** An import of one file. */
export interface Import {
  /** As written: `./plan.ts`, `node:fs`, `@aisle/engine`. */
  readonly specifier: string
  /** The whole statement: `import type { Plan } from './plan.ts'`. */
  readonly statement: string
  /** The path from the root for a relative import, else `undefined`. */
  readonly target: string | undefined
  readonly line: number
  /** `import()`: loaded when it is reached. */
  readonly isDynamic: boolean
  /** Not loaded here: it is the entry of a thread. */
  readonly isThreadEntry: boolean
}

/**
 * Files in git and new ones that git does not ignore, so that a check fails before the commit.
 * Without links: their targets are in the list.
 */
export function repositoryFiles(): string[] {
  const options = { cwd: REPOSITORY, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], options)
    .split('\n')
    .filter((path) => path !== '' && isFile(path))
    .toSorted()
}

function isFile(path: string): boolean {
  return lstatSync(join(REPOSITORY, path), { throwIfNoEntry: false })?.isFile() === true
}

export function readSource(path: string): SourceFile {
  return { path, text: readFileSync(join(REPOSITORY, path), 'utf8') }
}

/**
 * Every import, re-export, dynamic import and thread entry (`new URL('./x.ts', import.meta.url)`)
 * of a file. Scans text instead of parsing: relies on the formatter's layout, where statements
 * start lines.
 */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = []
  for (const pattern of IMPORT_PATTERNS) {
    for (const match of file.text.matchAll(pattern)) {
      const specifier = match[1] ?? ''
      found.push({
        specifier,
        statement: match[0],
        target: specifier.startsWith('.')
          ? posix.normalize(posix.join(posix.dirname(file.path), specifier))
          : undefined,
        line: lineAt(file.text, match.index),
        isDynamic: pattern === DYNAMIC_IMPORT,
        isThreadEntry: pattern === THREAD_ENTRY,
      })
    }
  }
  return found
}

const THREAD_ENTRY = /\bnew URL\(\s*['"](\.[^'"\n]+\.ts)['"],\s*import\.meta\.url/g
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"\n]+)['"]/g
const IMPORT_PATTERNS = [
  /^(?:import|export)\b[^'"`;]*?\bfrom\s+['"]([^'"\n]+)['"]/gm,
  /^import\s+['"]([^'"\n]+)['"]/gm,
  DYNAMIC_IMPORT,
  THREAD_ENTRY,
]

/** @returns line number of an offset, from 1 */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1))
    line++
  return line
}

/**
 * The text with comments and the contents of strings, templates and regular expressions blanked, so
 * that a search for code finds only code. Keeps line breaks. Recognizes regular expression literals
 * by what precedes them, which is correct for formatted code.
 */
export function codeOnly(text: string): string {
  return text.replaceAll(NOT_CODE, (match) => match.replaceAll(/[^\n]/g, ' '))
}

const NOT_CODE =
  /\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:!&|?[{;]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g
