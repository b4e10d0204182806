/**
 * Words of scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese), by the
 * dictionaries of ICU. The locale is fixed, because settings of the machine must not change an
 * index. Created on first use: it takes 8 ms, and most threads never need it.
 */
let segmenter: Intl.Segmenter | undefined

/** Boundary between kanji and katakana. */
const KANJI_KATAKANA = /[\u3400-\u9fff](?=[ァ-ヺ])|[ァ-ヺー](?=[\u3400-\u9fff])/g

/** Maximum length of a run in UTF-16 units; longer ones are cut, so that one call stays short. */
const RUN_LENGTH_MAX = 1024

/** End offsets of the words of a run, relative to it, ascending; the last is `run.length`. */
export function wordEnds(run: string): number[] {
  const ends: number[] = []
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  for (let from = 0; from < run.length;) {
    let to = Math.min(from + RUN_LENGTH_MAX, run.length)
    if (to < run.length && (run.charCodeAt(to) & 0xfc00) === 0xdc00) to--
    if (to - from === 1) ends.push(to)
    else {
      for (const { index, segment } of segmenter.segment(run.slice(from, to))) {
        const start = from + index
        // 東京タワー: the dictionary keeps such names whole, but people search for their parts.
        for (const { index: cut } of segment.matchAll(KANJI_KATAKANA)) ends.push(start + cut + 1)
        ends.push(start + segment.length)
      }
    }
    from = to
  }
  return ends
}
