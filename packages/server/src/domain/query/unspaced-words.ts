import type { Analyzer, JoinedSpelling, QuerySlot, Token } from '@aisle/engine'
import { addSpelling, joinedSpelling } from '../words/joined-spelling.ts'

/** Scripts that separate no words. */
const UNSPACED =
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}ー]+$/u
const HAN = /\p{sc=Han}/u
const KANA = /^[ぁ-ゖァ-ヺー]/
/** Maximum number of words of a typed text that are read as one. */
const TOGETHER_MAX = 4
/** Only the last words of a text depend on what is still missing. */
const RUN_MAX = 8
/** Letters at the end of words together that may begin the next one. */
const CUT_MAX = 2
/** Shorter rests are bigrams, which say little. */
const REST_MIN = 3
/** Thai and its kin have words of two letters. */
const REST_MIN_SYLLABIC = 2
/** No Thai or Lao word ends like this: such a vowel or tone mark has more letters behind it. */
const SURELY_UNFINISHED = /[เ-ไເ-ໄ][^\p{M}]?$|[่-๋່-໋]$/u
/** A letter with its marks, the vowel that Thai and Lao write before it, and those behind it. */
const LAST_LETTER = /[เ-ไເ-ໄ]?[^\p{M}ะาำະາຳ][\p{M}ะาำະາຳ]*$/u

interface Spelt {
  readonly form: string
  readonly stem: string
  readonly joined: JoinedSpelling[]
  pieces?: QuerySlot['pieces']
}

/**
 * Further spellings of the last words of a query in a script without spaces. A dictionary cuts an
 * unfinished text in other places than the whole one (แปรง, สี of แปรงสีฟัน; と, れっき of
 * トレッキング), and its last letters may begin the next word (ขวดน: ขวด, น้ำ).
 */
export function addUnfinished(
  words: readonly Token[],
  slotOfWord: readonly Spelt[],
  analyzer: Analyzer,
): void {
  const count = words.length
  let first = count
  while (first > 0 && count - first < RUN_MAX && isInRun(words, first - 1)) first--
  if (first < count) addFinished(words, slotOfWord.at(-1)!, analyzer)
  for (let from = first; from < count; from++) {
    let { form } = words[from]!
    for (let to = from + 1; to < count && to < from + TOGETHER_MAX; to++) {
      const before = form.length
      form += words[to]!.form
      // A Chinese word has few letters, so that its words hardly depend on the end of the text.
      if (HAN.test(form)) break
      const spelling = joinedSpelling(form, words.slice(from, to + 1), analyzer)
      for (const slot of slotOfWord.slice(from, to + 1)) {
        if (spelling !== undefined) addSpelling(slot, spelling)
        if (to === count - 1) addBegun(slot, form, before, analyzer)
      }
    }
  }
}

/** Whether a word is in an unspaced script and directly followed by the next. */
function isInRun(words: readonly Token[], i: number): boolean {
  const next = words[i + 1]
  return UNSPACED.test(words[i]!.form) && (next === undefined || words[i]!.end === next.start)
}

/** The last word without its last letter, which may begin the next word. */
function addFinished(words: readonly Token[], slot: Spelt, analyzer: Analyzer): void {
  const { form } = slot
  const rest = form.replace(LAST_LETTER, '')
  const isSyllabic = !HAN.test(form) && !KANA.test(form)
  const mayBeShort = isSyllabic && (words.length > 1 || SURELY_UNFINISHED.test(form))
  addRest(slot, rest, mayBeShort ? REST_MIN_SYLLABIC : REST_MIN, analyzer)
}

/**
 * The last words together may begin a form, and end inside of the last word (ออ, กกำล: ออก, กำลัง).
 *
 * @param before length of the form without the last word
 */
function addBegun(slot: Spelt, form: string, before: number, analyzer: Analyzer): void {
  const spellings = analyzer.language === 'ja' ? [form, inKatakana(form)] : [form]
  slot.pieces = [...new Set([...(slot.pieces ?? []), ...spellings])]
  let rest = form
  for (let cut = 0; cut < CUT_MAX; cut++) {
    rest = rest.replace(LAST_LETTER, '')
    if (rest.length > before) addRest(slot, rest, REST_MIN, analyzer)
  }
}

function addRest(slot: Spelt, rest: string, lengthMin: number, analyzer: Analyzer): void {
  if ([...rest].length < lengthMin) return
  const stem = analyzer.stem(rest)
  if (stem !== slot.stem) addSpelling(slot, { form: rest, stem, bare: true })
}

function inKatakana(text: string): string {
  return text.replaceAll(/[ぁ-ゖ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60))
}
