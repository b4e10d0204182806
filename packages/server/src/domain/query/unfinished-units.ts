import { unitsBegun, type Analyzer, type JoinedSpelling, type Token } from '@aisle/engine'

/** The measures that a number and an unfinished word may become: `27 pul` is also 27 pulgadas. */
export function measuresBegun(
  words: readonly Token[],
  analyzer: Analyzer,
): readonly JoinedSpelling[] {
  const [number, last] = words.slice(-2)
  if (number === undefined || last === undefined || last.measure === true) return []
  if (!/^[0-9./]+$/.test(number.form)) return []
  return unitsBegun(last.form).map(({ symbol }) => {
    const form = `${number.form}${symbol}`
    return { form, stem: analyzer.stem(form), bare: true }
  })
}
