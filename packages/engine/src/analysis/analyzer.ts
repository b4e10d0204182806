/**
 * A token: an occurrence of text in a field.
 *
 * `word` is what was written, `joined` is a further spelling of several neighbouring tokens
 * (t-shirt: `t`, `shirt` and, over both, `tshirt`) or a second spelling of one, `unit` is a unit of
 * measure after a number.
 */
export interface Token {
  /** The folded text, the form in the dictionary. Never empty. */
  readonly form: string
  /** Token index in the text, from 0. A joined token has the position of its first part. */
  readonly position: number
  /** Number of positions it covers: 1; for a joined token, the number of its parts. */
  readonly span: number
  /** UTF-16 offsets into the original text: `text.slice(start, end)` is the text as written. */
  readonly start: number
  readonly end: number
  readonly kind: 'word' | 'unit' | 'joined'
  /**
   * A joined token of two adjacent characters of a text without spaces, regardless of the words
   * that a dictionary finds: any two characters find the text. In a query it says less than its
   * words.
   */
  readonly bigram?: true
  /**
   * A joined token: the word at its position without its symbols (`symbols.ts`). In a query it says
   * less than the word.
   */
  readonly bare?: true
  /**
   * A joined token of a number and the unit after it, regardless of what is between them (16gb of
   * "16 GB"). In a query it is one word, and its parts are not words.
   */
  readonly measure?: true
  /** A measure whose whole number is the previous token (the 2 of 2-1/2 in). */
  readonly hasWhole?: true
}

/**
 * Receives the tokens of `Analyzer.scan`, in the order of `analyze`. `start` and `end` are offsets
 * into the original text.
 */
export interface TokenSink {
  /**
   * A plain word: the text from `from` to `to`, without a string of it.
   *
   * @param text the folded text, not the original
   * @param hash FNV-1a of its UTF-16 code units (`codec/fnv.ts`)
   */
  word(
    text: string,
    from: number,
    to: number,
    hash: number,
    position: number,
    start: number,
    end: number,
  ): void
  /** Any other token. */
  token(
    form: string,
    position: number,
    span: number,
    isJoined: boolean,
    start: number,
    end: number,
  ): void
}

/** How a language joins two words into one (Arbeit-s-schuhe). */
export interface CompoundRules {
  /** Texts that may link the parts, longest first, besides none. */
  readonly links: readonly string[]
  /** Minimum code points of a word that is searched for in compounds, and of the rest. */
  readonly wordLengthMin: number
  readonly restLengthMin: number
  /**
   * Stems that are also endings, with what precedes those: automatisch ends with Tisch. After that,
   * the rest must be a word.
   */
  readonly endings: ReadonlyMap<string, RegExp>
  /** Stems of words that end compounds even if the catalog has them nowhere else. */
  readonly words?: ReadonlySet<string>
  /** Whether a form is one word, which may be a compound. Absent: every form is. */
  readonly isWhole?: (form: string) => boolean
}

/**
 * Turns text into tokens. Documents and queries pass through the same analyzer, so that they match.
 * Pure: the same text always gives the same tokens.
 */
export interface Analyzer {
  /** BCP 47 tag of the language, default `en`. */
  readonly language: string
  /**
   * Whether ASCII letters between spaces are one token with the same lower-case form, and no token
   * except units begins with letters that are not in the text. Absent: unknown.
   */
  readonly hasPlainWords?: true
  /**
   * Name of its analysis (`analysis-name.ts`): analyzers with the same name make the same tokens.
   */
  readonly name: string
  /** Characters that are part of words, and characters treated as spaces. Absent: none. */
  readonly symbols?: string
  readonly separators?: string
  /** The analyzer without these. Absent: itself. */
  readonly plain?: Analyzer
  /** For queries to a store with fields that have symbols: the analyzer of the store. */
  readonly store?: Analyzer
  /** Tokens in order of position; at one position the plain token comes before joined ones. */
  analyze(text: string): Token[]
  /**
   * Streams the same tokens to a sink, most of them without objects, for the index and for marks,
   * which need only forms and places. Absent: `scanText` streams those of `analyze`.
   */
  scan?(text: string, sink: TokenSink): void
  /**
   * The stem that all inflections of a form share. Not idempotent: `stem(form)` of a stem may
   * differ.
   */
  stem(form: string): string
  /** First characters of all forms with a stem; undefined or absent: that of the stem itself. */
  readonly firstLetters?: ((stem: string) => string) | undefined
  /**
   * Whether other spellings of a word differ from it letter by letter, so that the stem of its
   * beginning is a beginning of its stem (kana, traditional and simplified characters).
   */
  readonly stemsBegin?: boolean | undefined
  /**
   * Second UTF-16 units of all forms with a stem; undefined: any, or none. Absent: unknown in this
   * language.
   */
  readonly secondLetters?: ((stem: string) => string | undefined) | undefined
  /** The same for third units; forms may be shorter. */
  readonly thirdLetters?: ((stem: string) => string | undefined) | undefined
  /**
   * Whether two forms of one stem are singular and plural of a word, or further apart (paint,
   * painting). Undefined: unknown in this language.
   */
  readonly isPlural: ((a: string, b: string) => boolean) | undefined
  /** Stopwords (the, for, with …), by folded form. */
  isStopword(form: string): boolean
  /** How the language joins words into compounds. Undefined: it does not. */
  readonly compounds: CompoundRules | undefined
  /**
   * The words into which texts without spaces cut a form that they spell differently (ラーメン: ら, ー,
   * めん); none or absent: they do not.
   */
  readonly pieces?: ((form: string) => readonly string[]) | undefined
  /** Folds text as forms are (case, diacritics, widths), without splitting it. */
  fold(text: string): string
}

/** Streams the tokens of a text to a sink, without objects if the analyzer supports it. */
export function scanText(analyzer: Analyzer, text: string, sink: TokenSink): void {
  if (analyzer.scan !== undefined) {
    analyzer.scan(text, sink)
    return
  }
  for (const { form, position, span, kind, start, end } of analyzer.analyze(text)) {
    sink.token(form, position, span, kind === 'joined', start, end)
  }
}
