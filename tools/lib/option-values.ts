/** Parses values of command-line options. Each function throws an Error that names the option. */

/** @param name without dashes */
export function positive(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) {
    throw new Error(`--${name} must be a whole number above 0, received "${text}"`)
  }
  return value
}

/** @param name without dashes */
export function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isInteger(value) || value < 0) {
    throw new Error(`--${name} must be a whole number, received "${text}"`)
  }
  return value
}

/** @param name without dashes */
export function oneOf<Value extends string>(
  name: string,
  text: string,
  known: readonly Value[],
): Value {
  const value = known.find((one) => one === text)
  if (value === undefined) {
    throw new Error(`--${name} must be one of ${known.join(', ')}, received "${text}"`)
  }
  return value
}
