/**
 * The secret of the link that the first start prints, from the link, a line of the output with it,
 * or the secret alone.
 */
export function firstRunSecret(text: string): string | undefined {
  return /\bfr_[\w-]+/.exec(text)?.[0]
}
