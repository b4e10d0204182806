/** One word of a POSIX shell, whatever is in it. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
