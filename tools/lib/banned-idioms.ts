import { codeOnly, lineAt, type SourceFile } from './source-files.ts'

/** Wording that reads as translated, and what an English writer says instead. */
interface Idiom {
  readonly pattern: RegExp
  readonly instead: string
}

const IDIOMS: readonly Idiom[] = [
  { pattern: /\banew\b/gi, instead: 'again; rewrite, rebuild, re-create' },
  {
    pattern: /\b(?:who|which)(?:so)?ever\b/gi,
    instead: 'anyone who; the one that; any; name them',
  },
  { pattern: /\b(?:there|here|where)of\b/gi, instead: 'of it, of them' },
  { pattern: /\bin vain\b/gi, instead: 'without success; what failed' },
  { pattern: /\b(?:makes?|made|making) room\b/gi, instead: 'is evicted, is replaced' },
  { pattern: /\bso many\b/gi, instead: 'the number; at most, that many' },
  { pattern: /\bno longer than\b/gi, instead: 'at most' },
  { pattern: /\bof (?:its|their|his|our|your|my) own\b/gi, instead: 'its own X; a separate X' },
  { pattern: /\b(?:stands|stood)\b(?! for\b| in for\b)/gi, instead: 'is; ranks; comes' },
  {
    pattern: /\b(?:is|are|was|were) there\b(?=\s*[.,;:)]| any more\b)/gi,
    instead: 'exists; is available',
  },
  {
    pattern: /\bwhat (?:becomes|became|has become) of\b/gi,
    instead: 'the status; the outcome; the equivalent',
  },
  { pattern: /\bby (?:itself|themselves)\b/gi, instead: 'automatically; alone' },
  { pattern: /\bonce more\b/gi, instead: 'again' },
  { pattern: /\bnineteen of twenty\b/gi, instead: 'p95' },
  { pattern: /\b(?:is|are|was|were) forgiven\b/gi, instead: 'tolerated' },
  { pattern: /\b(?:is|are) said\b/gi, instead: 'reported; shown; as described' },
  { pattern: /\bunder way\b/gi, instead: 'in progress; in flight; running' },
  { pattern: /\bcan not\b/gi, instead: 'cannot' },
  { pattern: /\b(?:is|are|was|were) made again\b/gi, instead: 'rebuilt; re-created; repeated' },
  { pattern: /\btakes? (?:it|them|this|that) back\b/gi, instead: 'undoes; reverses; restores' },
  {
    // "An empty list is no condition." "There is no condition" and "is no larger" are fine.
    pattern:
      /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b|one\b|reason\b|\w+er\b)[a-z]/gi,
    instead: 'is not a; are not',
  },
  {
    // A sentence that begins with "Of these …," and has its subject behind a comma or a colon.
    pattern: /(?<=^|[.:!?] |^[-*|] )(?:Of|By) (?:all|such|the|these|those|this|what)\b/gm,
    instead: 'begin with the subject and give the sentence a verb',
  },
]

/**
 * The files checked so far: add a package when its texts have been rewritten. In code, comments and
 * strings are checked; with JSX, everything.
 */
const CHECKED: readonly RegExp[] = [/\.md$/, /^(?:bench|examples|packages|tools)\//]
/** The list and its test, which name what they ban. */
const NOT_CHECKED = /^tools\/(?:lib\/banned-idioms|words\.test)\.ts$/

/** Places where reading decided otherwise: the line holds this text. */
export const EXCEPTIONS: readonly {
  readonly path: string
  readonly text: string
  readonly reason: string
}[] = []

/** A place to reword: `docs/search.md:12: "anew": say again; rewrite`. */
export interface Finding {
  readonly path: string
  /** The whole line. */
  readonly text: string
  readonly message: string
}

/** All idioms of a file, if its words are checked. Reading decides: an exception needs a reason. */
export function idiomsIn(file: SourceFile): Finding[] {
  if (!CHECKED.some((one) => one.test(file.path)) || NOT_CHECKED.test(file.path)) return []
  const words = wordsOf(file)
  const lines = file.text.split('\n')
  return IDIOMS.flatMap(({ pattern, instead }) =>
    Array.from(words.matchAll(pattern), (match) => {
      const line = lineAt(words, match.index)
      return {
        path: file.path,
        text: lines[line - 1] ?? '',
        message: `${file.path}:${line}: "${match[0]}": say ${instead}`,
      }
    }),
  )
}

/** The text with code blanked; line breaks stay. */
function wordsOf({ path, text }: SourceFile): string {
  if (path.endsWith('.md')) return proseOnly(text)
  if (!path.endsWith('.ts')) return text
  const code = codeOnly(text)
  return text.replaceAll(/[^\n]/g, (char, i: number) => (code[i] === char ? ' ' : char))
}

/** Code blocks, code in a line and addresses of links: not prose. */
const NOT_PROSE = /^ *```[^]*?^ *```|`[^`\n]*`|\]\([^)\n]*\)/gm

/** A page with everything but its prose blanked; line breaks stay. */
export function proseOnly(text: string): string {
  return text.replaceAll(NOT_PROSE, (match) => match.replaceAll(/[^\n]/g, ' '))
}
