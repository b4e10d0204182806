import { EMAIL_ADDRESS_MAX_CHARS } from '@aisle/contract/source-limits'

/** What would end an address, or begin another one, in the header of a message. */
const SPECIAL = new Set('()<>[]:;,\\"'.split(''))

/**
 * Whether a text is one plain address, such as `ana@shop.example`. Only a mail server knows more.
 */
export function isEmailAddress(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  if (more.length > 0 || local === '' || text.length > EMAIL_ADDRESS_MAX_CHARS) return false
  if (domain.split('.').includes('') || domain.startsWith('-')) return false
  for (const char of text) if (char <= ' ' || char > '~' || SPECIAL.has(char)) return false
  return true
}
