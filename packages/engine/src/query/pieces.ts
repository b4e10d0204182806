import { charClass, DIGIT, SEPARATOR } from '../analysis/char-class.ts'

/**
 * Whether forms may hold a piece of a number anywhere, and not only at their beginning: one that
 * begins with a digit, and the word itself.
 */
export function mayBeInside(piece: string, own: string): boolean {
  return piece === own || beginsWithDigit(piece)
}

/**
 * Whether a form is longer than a piece of a number and holds it between borders of letters and
 * digits: 8705a is a piece of q8705a, and 10l neither of 10lb nor of 110l. A piece that begins with
 * a letter may also begin the form and end anywhere (rv34 of rv345p).
 */
export function isPieceOf(form: string, piece: string): boolean {
  if (form.length <= piece.length) return false
  if (!beginsWithDigit(piece) && form.startsWith(piece)) return true
  for (let at = form.indexOf(piece); at >= 0; at = form.indexOf(piece, at + 1)) {
    if (isBorder(form, at) && isBorder(form, at + piece.length)) return true
  }
  return false
}

function beginsWithDigit(piece: string): boolean {
  return charClass(piece.charCodeAt(0)) === DIGIT
}

/** Whether the characters before and at an offset are of different classes. */
function isBorder(form: string, at: number): boolean {
  return classAt(form, at - 1) !== classAt(form, at)
}

/** Letters outside of the basic plane are rare in numbers, and end no run here. */
function classAt(form: string, at: number): number {
  return at < 0 || at >= form.length ? SEPARATOR : charClass(form.charCodeAt(at))
}
