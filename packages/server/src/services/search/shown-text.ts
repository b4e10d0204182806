import { escapeHtml, type Marks, type TextMarker } from '@aisle/engine'

/** Formats texts of a field that are strings. */
export interface ShownText {
  /**
   * Returns the JSON value of one element; undefined: the field is omitted unless another element
   * has a mark.
   */
  readonly show: (text: string) => string | undefined
  /** Renders list elements without a mark. */
  readonly plain: (text: string) => string
  /** `show` in steps, for a long text. */
  readonly inSteps?: (text: string) => Generator<void, string>
}

/** Renders whole texts. */
export function wholeText(marker: TextMarker, marks: Marks): ShownText {
  const escape = marks.escape ? escapeHtml : (text: string): string => text
  return {
    show: (text) => {
      const marked = marker.mark(text, marks)
      return marked === undefined ? undefined : JSON.stringify(marked)
    },
    plain: (text) => JSON.stringify(escape(text)),
  }
}

/**
 * @returns the JSON of a value with marks; undefined: nothing of it is shown
 */
export function showValue(field: ShownText, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (!Array.isArray(value)) return field.show(searchedText(value))
  let isShown = false
  const elements = value.map((element: unknown) => {
    const text = searchedText(element)
    const shown = field.show(text)
    if (shown !== undefined) isShown = true
    return shown ?? field.plain(text)
  })
  return isShown ? `[${elements.join(',')}]` : undefined
}

/** The text as analysed: numbers in shortest decimal form. */
function searchedText(value: unknown): string {
  return Object.is(value, -0) ? '0' : String(value)
}
