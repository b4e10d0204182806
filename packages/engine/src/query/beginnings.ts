import type { Analyzer } from '../analysis/analyzer.ts'
import { begunLength, isHangul } from '../analysis/hangul.ts'

/**
 * The length of the part of a form that the typed text matches, in UTF-16 units; -1 if the form
 * does not begin with it. A form may begin with the text itself, with a syllable that the last
 * Korean one can still turn into, or with another spelling (`Analyzer.stemsBegin`).
 */
export function typedLength(
  form: string,
  typed: string,
  analyzer: Pick<Analyzer, 'stem' | 'stemsBegin'>,
): number {
  const length = begunLength(form, typed)
  if (length >= 0 || analyzer.stemsBegin !== true) return length
  return analyzer.stem(form).startsWith(analyzer.stem(typed))
    ? Math.min(form.length, typed.length)
    : -1
}

/** Whether forms that do not start with the typed word may begin with it nevertheless. */
export function mayBeginOtherwise(
  typed: string,
  { stemsBegin }: Pick<Analyzer, 'stemsBegin'>,
): boolean {
  return stemsBegin === true || isHangul(typed.charCodeAt(typed.length - 1))
}
