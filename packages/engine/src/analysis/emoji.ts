import { charClass, EMOJI, isDropped, isFlagLetter } from './char-class.ts'

/**
 * Emoji sequences (UTS #51): a picture or a flag of two letters, with a skin tone, variation
 * selectors and, after zero width joiners, further pictures. Each is one word, regardless of skin
 * tones and looks: a search for 👍 finds 👍🏽.
 */

const ZWJ = 0x200d
/** The flag that following tags turn into a regional one: England, Scotland, Wales. */
const BLACK_FLAG = 0x1f3f4
/** Maximum number of pictures, above that of any real sequence; longer ones are cut. */
const PICTURES_MAX = 10
/** Maximum code points of skin tone, look and tags per picture. */
const SIGNS_MAX = 16
const JOINED_PICTURE = /\p{Emoji}/u
/** `\p{Emoji}` also has ASCII characters below this. */
const ASCII_END = 0x80

/**
 * The end of the sequence at `from`, which has a code point of class `EMOJI`; in folded text or
 * not.
 */
export function emojiEnd(text: string, from: number): number {
  let at = from
  for (let pictures = 1; ; pictures++) {
    const picture = text.codePointAt(at)!
    at += widthOf(picture)
    const next = text.codePointAt(at)
    if (next !== undefined && isFlagLetter(picture) && isFlagLetter(next)) at += widthOf(next)
    for (let signs = 0; at < text.length && signs < SIGNS_MAX; signs++) {
      const sign = text.codePointAt(at)!
      if (!isSign(sign) || (sign === ZWJ && isPictureAt(text, at + 1))) break
      at += widthOf(sign)
    }
    const isJoined = text.charCodeAt(at) === ZWJ && isPictureAt(text, at + 1)
    if (!isJoined || pictures === PICTURES_MAX) return at
    at++
  }
}

/** The form of a sequence: without skin tones and variation selectors. */
export function foldEmoji(sequence: string): string {
  let folded = ''
  let keepsTags = false
  for (const char of sequence) {
    const codePoint = char.codePointAt(0)!
    if (codePoint === BLACK_FLAG) keepsTags = true
    const isKept = codePoint === ZWJ || (keepsTags && isTag(codePoint))
    if (isKept || !isSign(codePoint)) folded += char
  }
  // Drops joiners at the end, which join nothing.
  let end = folded.length
  while (end > 0 && folded.charCodeAt(end - 1) === ZWJ) end--
  return folded.slice(0, end)
}

function isPictureAt(text: string, at: number): boolean {
  const codePoint = text.codePointAt(at)
  if (codePoint === undefined || codePoint < ASCII_END) return false
  return charClass(codePoint) === EMOJI || JOINED_PICTURE.test(String.fromCodePoint(codePoint))
}

function isSign(codePoint: number): boolean {
  if (codePoint < ASCII_END) return false
  return isSkinTone(codePoint) || isDropped(String.fromCodePoint(codePoint))
}

function isSkinTone(codePoint: number): boolean {
  return codePoint >= 0x1f3fb && codePoint <= 0x1f3ff
}

function isTag(codePoint: number): boolean {
  return codePoint >= 0xe0020 && codePoint <= 0xe007f
}

function widthOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1
}
