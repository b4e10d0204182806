/**
 * Words of scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese), by the
 * dictionaries of ICU. The locale is fixed: what a machine is set to must not change an index.
 * Made when it is first needed: it takes 8 ms, and most threads never do.
 */
let segmenter: Intl.Segmenter | undefined

/** The last unit of a kanji before a katakana, or the other way round. */
const KANJI_KATAKANA = /[\u3400-\u9fff](?=[ァ-ヺ])|[ァ-ヺー](?=[\u3400-\u9fff])/g

/** Longer runs are cut, so that one call stays short. UTF-16 code units. */
const RUN_LENGTH_MAX = 1024

/** Offsets, relative to `run`, of the ends of its words, ascending; the last is `run.length`. */
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
        // 東京タワー: the dictionary keeps such names whole, people look for their parts.
        for (const { index: cut } of segment.matchAll(KANJI_KATAKANA)) ends.push(start + cut + 1)
        ends.push(start + segment.length)
      }
    }
    from = to
  }
  return ends
}
