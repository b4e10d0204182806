import { namedEncoding, type TextEncoding } from '../text-encoding.ts'

const DECLARATION_MAX_BYTES = 512

/**
 * The encoding that the first line of an XML text declares.
 *
 * @returns undefined if it declares none, or UTF-16, which its bytes show
 * @throws ImportError if the encoding is unknown
 */
export function declaredEncoding(head: Uint8Array): TextEncoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { label: 'utf-8' }
  const text = new TextDecoder('latin1').decode(head.subarray(0, DECLARATION_MAX_BYTES))
  if (!text.startsWith('<?xml')) return undefined
  const declaration = text.slice(0, text.indexOf('?>'))
  const name = /\sencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/.exec(declaration)?.[1]
  return name === undefined || /^utf-?16/i.test(name) ? undefined : namedEncoding(name)
}
