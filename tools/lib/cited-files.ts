import { lineAt, type SourceFile } from './source-files.ts'

/** A file named by a page or a comment. */
export interface CitedFile {
  /** As written, without leading `./` and `../`. */
  readonly name: string
  readonly line: number
}

const COMMENT = /\/\*[^]*?\*\/|(?<=^|\s)\/\/[^\n]*/g
/**
 * `searcher.ts`, `search/searcher.ts`, `docs/ranking.md`; not `*.test.ts`, `x.ts` or part of a URL.
 */
const FILE_NAME = /(?<![\w.*{}<>$/:-])(?:\.\.?\/)*((?!x\.)[\w-][\w.-]*(?:\/[\w.-]+)*\.(?:ts|md))\b/g

/** The TypeScript and Markdown files named by a page, or by the comments of a source file. */
export function citedFiles({ path, text }: SourceFile): CitedFile[] {
  const prose = path.endsWith('.md') ? text : commentsOnly(text)
  return [...prose.matchAll(FILE_NAME)].map((match) => ({
    name: match[1] ?? '',
    line: lineAt(prose, match.index),
  }))
}

/**
 * @returns whether a path is `name`, or ends with it at a folder: comments name files by their last
 * folders
 */
export function namesFile(name: string, paths: readonly string[]): boolean {
  return paths.some((path) => path === name || path.endsWith(`/${name}`))
}

/** The text with everything but comments blanked; line breaks stay. */
function commentsOnly(text: string): string {
  let kept = ''
  let end = 0
  for (const match of text.matchAll(COMMENT)) {
    kept += blank(text.slice(end, match.index)) + match[0]
    end = match.index + match[0].length
  }
  return kept + blank(text.slice(end))
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
