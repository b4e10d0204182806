/**
 * A token: an occurrence of text in a field.
 *
 * `word` is what was written, `joined` is one more spelling of several neighbouring tokens
 * (t-shirt: `t`, `shirt` and, over both, `tshirt`) or a second spelling of one, `unit` is a unit of
 * measure behind a number.
 */
export interface Token {
  /** The folded text, the form that the dictionary holds. Never empty. */
  readonly form: string
  /** Token index in the text, from 0. A joined token has the position of its first part. */
  readonly position: number
  /** How many positions it covers: 1, and for a joined token the number of its parts. */
  readonly span: number
  /** UTF-16 offsets into the original text: `text.slice(start, end)` is what was written. */
  readonly start: number
  readonly end: number
  readonly kind: 'word' | 'unit' | 'joined'
  /**
   * A joined token that is two neighbouring characters of a text without spaces, whatever words a
   * dictionary saw there: any two characters find the text. In a query it says less than its words.
   */
  readonly bigram?: true
  /**
   * A joined token that is the word at its position without its symbols (`symbols.ts`). In a query
   * it says less than the word.
   */
  readonly bare?: true
  /**
   * A joined token that is a number and the unit behind it, whatever is between them (16gb of
   * "16 GB"). In a query it is one word, and its parts are none.
   */
  readonly measure?: true
  /** A measure of which the token before is the whole number (the 2 of 2-1/2 in). */
  readonly hasWhole?: true
}

/**
 * What `Analyzer.scan` tells of the tokens of a text, in the order of `analyze`. `start` and `end`
 * are offsets into the original text.
 */
export interface TokenSink {
  /**
   * A plain word, which is the text from `from` to `to`: no string is made for it.
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

/** How a language writes two words as one (Arbeit-s-schuhe). */
export interface CompoundRules {
  /** What may stand between the parts, longest first, beside nothing. */
  readonly links: readonly string[]
  /** Minimum code points of a word that is looked up in compounds, and of the rest of one. */
  readonly wordLengthMin: number
  readonly restLengthMin: number
  /**
   * Stems that are endings, too, and behind what: automatisch ends with Tisch. Behind that a rest
   * must be a word.
   */
  readonly endings: ReadonlyMap<string, RegExp>
}

/**
 * Turns text into tokens. Documents and queries pass through the same analyzer, so what one
 * writes the other finds. Pure: the same text always gives the same tokens.
 */
export interface Analyzer {
  /** BCP 47 tag of the language, `en` by default. */
  readonly language: string
  /**
   * Whether ASCII letters between spaces are one token, which is the same in lower case, and no
   * token has a beginning that does not stand in the text, but for units. Absent: not known.
   */
  readonly hasPlainWords?: true
  /** Of its analysis (`analysis-name.ts`): analyzers of one name make the same tokens. */
  readonly name: string
  /** Characters that are part of words, and that are like a space. Absent: none. */
  readonly symbols?: string
  readonly separators?: string
  /** The same without these. Absent: itself. */
  readonly plain?: Analyzer
  /** Of queries to a store whose fields have symbols of their own: the analyzer of the store. */
  readonly store?: Analyzer
  /** Tokens in order of position; at one position the plain token comes before joined ones. */
  analyze(text: string): Token[]
  /**
   * The same tokens for the index and for marks, which need their forms and places only, told to a
   * sink one by one: most of them need no objects. Absent: those of `analyze` are told
   * (`scanText`).
   */
  scan?(text: string, sink: TokenSink): void
  /** The stem that all inflections of a form share. `stem(form)` of a stem need not be itself. */
  stem(form: string): string
  /**
   * First characters of all forms that have a stem; undefined or absent: that of the stem itself.
   */
  readonly firstLetters?: ((stem: string) => string) | undefined
  /**
   * Second UTF-16 units of all forms that have a stem; undefined: any, or none. Absent: the
   * language does not tell.
   */
  readonly secondLetters?: ((stem: string) => string | undefined) | undefined
  /** The same of third ones: forms may be shorter. */
  readonly thirdLetters?: ((stem: string) => string | undefined) | undefined
  /**
   * Are two forms of one stem singular and plural of a word, or further apart (paint, painting)?
   * Undefined: the language does not tell.
   */
  readonly isPlural: ((a: string, b: string) => boolean) | undefined
  /** Stopwords (the, for, with …), by folded form. */
  isStopword(form: string): boolean
  /** How the language writes two words as one. Undefined: it writes them apart. */
  readonly compounds: CompoundRules | undefined
  /**
   * The words to which texts without spaces cut a form that they spell otherwise (ラーメン: ら, ー, めん);
   * none or absent: they do not.
   */
  readonly pieces?: ((form: string) => readonly string[]) | undefined
  /** Folds text as forms are folded (case, diacritics, widths), without splitting it. */
  fold(text: string): string
}
