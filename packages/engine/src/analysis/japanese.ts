import { wordEnds } from './segmenter.ts'

/** Matches folded forms of only hiragana and katakana. */
const KANA = /^[ぁ-ゖァ-ヺー]+$/
const KATAKANA = /^[ァ-ヺー]+$/
/** Both scripts have the same order. */
const HIRAGANA_FIRST = 0x3041
const HIRAGANA_LAST = 0x3096
const TO_KATAKANA = 0x60

const LONG_VOWEL = 'ー'
/** Shorter words keep their long vowel: カー is not カ. */
const WITHOUT_LONG_VOWEL_MIN = 3

const SMALL = 'ァィゥェォッャュョヮヵヶ'
const LARGE = 'アイウエオツヤユヨワカケ'
/** Katakana by their final vowel. */
const BY_VOWEL: Readonly<Record<string, string>> = {
  ア: 'アカサタナハマヤラワガザダバパ',
  イ: 'イキシチニヒミリギジヂビピヰ',
  ウ: 'ウクスツヌフムユルグズヅブプヴ',
  エ: 'エケセテネヘメレゲゼデベペヱ',
  オ: 'オコソトノホモヨロヲゴゾドボポ',
}
const VOWELS = new Map(
  Object.entries(BY_VOWEL).flatMap(([vowel, letters]) =>
    Array.from(letters, (letter): [string, string] => [letter, vowel]),
  ),
)

/**
 * The stem that the kana spellings of a word share: らーめん, ラーメン and らあめん, キヤノン and キャノン, コンピューター and
 * コンピュータ. It is in katakana, with large letters and long vowels written out. Words with kanji are
 * unchanged.
 */
export function japaneseStem(form: string): string {
  if (!KANA.test(form)) return form
  let letters = inKatakana(form)
  if (letters.length > WITHOUT_LONG_VOWEL_MIN && letters.endsWith(LONG_VOWEL)) {
    letters = letters.slice(0, -1)
  }
  // A small letter in front means that the word was cut; a stem begins like its forms.
  let stem = letters[0]!
  for (let i = 1; i < letters.length; i++) {
    const letter = letters[i]!
    const small = SMALL.indexOf(letter)
    if (small >= 0) stem += LARGE[small]!
    else if (letter === LONG_VOWEL) stem += VOWELS.get(stem.at(-1)!) ?? letter
    else stem += letter
  }
  return stem
}

/** See `Language`. */
export function japaneseFirstLetters(stem: string): string {
  const first = stem.codePointAt(0)!
  const hiragana = first - TO_KATAKANA
  const isKatakana = hiragana >= HIRAGANA_FIRST && hiragana <= HIRAGANA_LAST
  return isKatakana ? String.fromCodePoint(first, hiragana) : String.fromCodePoint(first)
}

function inKatakana(text: string): string {
  return shifted(text, HIRAGANA_FIRST, TO_KATAKANA)
}

/** Shifts letters from one script to the other. @param first, shift of the letters that change */
function shifted(text: string, first: number, shift: number): string {
  const last = first + HIRAGANA_LAST - HIRAGANA_FIRST
  let other = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    other += code >= first && code <= last ? String.fromCharCode(code + shift) : text[i]
  }
  return other
}

/** Adjacent kana words of at most this length together also form one word. */
const KANA_TOGETHER_MIN = 3
const KANA_TOGETHER_MAX = 8

/**
 * Dictionaries know native words in hiragana and split others: ラーメン, but ら, ー, めん. Such pieces are
 * also found as one word.
 *
 * @param words neighbours, in order
 * @returns how many of them, starting at `first`, are pieces of one word; 0: none
 */
export function kanaTogether(words: readonly string[], first: number): number {
  if (!KANA.test(words[first]!) || (first > 0 && KANA.test(words[first - 1]!))) return 0
  let end = first
  let together = ''
  let isInPieces = false
  while (end < words.length && KANA.test(words[end]!)) {
    isInPieces ||= words[end]!.length === 1
    together += words[end++]!
    if (together.length > KANA_TOGETHER_MAX) return katakanaTogether(words, first)
  }
  if (end - first < 2 || together.length < KANA_TOGETHER_MIN) return 0
  return isInPieces || KATAKANA.test(together) ? end - first : 0
}

/**
 * In a long run of katakana, the words up to the last one of one letter: ブルー, ト, ゥ, ー, ス before
 * スピーカー.
 */
function katakanaTogether(words: readonly string[], first: number): number {
  let together = ''
  let count = 0
  for (let end = first; end < words.length && KATAKANA.test(words[end]!); end++) {
    together += words[end]!
    if (together.length > KANA_TOGETHER_MAX) break
    if (words[end]!.length === 1) count = end + 1 - first
  }
  return count < 2 ? 0 : count
}

/**
 * The pieces into which a dictionary splits the word in the other script: ら, ー and めん for ラーメン;
 * none if it keeps the word whole.
 */
export function kanaPieces(form: string): string[] {
  if (form.length < KANA_TOGETHER_MIN || form.length > KANA_TOGETHER_MAX) return []
  if (!KANA.test(form)) return []
  const katakana = inKatakana(form)
  const other =
    form === katakana ? shifted(form, HIRAGANA_FIRST + TO_KATAKANA, -TO_KATAKANA) : katakana
  const ends = other === form ? [] : wordEnds(other)
  if (ends.length < 2) return []
  return ends.map((end, i) => other.slice(i === 0 ? 0 : ends[i - 1], end))
}

/** Common last parts of product names in katakana, as written. */
export const KATAKANA_HEADS: readonly string[] = (
  'アダプター イヤホン エプロン カーテン カード カバー カメラ キーボード クッション クリーナー クリーム ケース ケーブル コート サンダル ' +
  'シート シャツ シャンプー シューズ ジャケット スーツ スタンド スニーカー スピーカー セーター ソックス タオル タブレット チェア テーブル ' +
  'テント トレー ドライヤー ドレス ナイフ ノート ハンガー バッグ バッテリー パーカー パソコン パンツ ヒーター ブーツ ブラシ ブランケット ' +
  'プリンター ヘッドホン ベッド ベルト ホルダー ボックス ボトル ポーチ マウス マグカップ マスク マット ミキサー メーカー ライト ラック ' +
  'ランプ リュック レンズ ワンピース'
).split(' ')

/**
 * Whether a form is a word in katakana that the dictionary keeps whole. Of one that it splits, the
 * parts are words of the text anyway.
 */
export function isKatakanaWord(form: string): boolean {
  return KATAKANA.test(form) && wordEnds(form).length === 1
}
