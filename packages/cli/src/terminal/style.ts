/** Styles for terminal text; without colour nothing is added. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly mark: (text: string) => string
}

const wrap =
  (on: number, off: number) =>
  (text: string): string =>
    `\u001b[${on}m${text}\u001b[${off}m`

const COLOURED: Style = {
  bold: wrap(1, 22),
  dim: wrap(2, 22),
  mark: (text) => `\u001b[1;33m${text}\u001b[22;39m`,
}
const same = (text: string): string => text
const PLAIN: Style = { bold: same, dim: same, mark: same }

/** See no-color.org: NO_COLOR, set to anything, wins. */
export function styleOf(
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): Style {
  const { NO_COLOR = '', FORCE_COLOR = '' } = environment
  return NO_COLOR === '' && (isTerminal || FORCE_COLOR !== '') ? COLOURED : PLAIN
}

/** Makes document text safe for a terminal by removing control characters. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
