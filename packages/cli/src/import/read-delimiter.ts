import { CommandError } from '../exit-codes.ts'

/** @param text as it is typed: one character, or `tab` @throws CommandError */
export function readDelimiter(text: string): string {
  if (text === 'tab' || text === '\\t') return '\t'
  if ([...text].length === 1 && !/["\r\n]/.test(text)) return text
  throw new CommandError('usage', `--delimiter must be one character, or tab: received "${text}"`)
}
