/** Share of what a search finds that is cheap. */
export const LOW_PRICE_SHARE = 0.25

const MANTISSAS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]
const EXPONENT_MIN = -1
const EXPONENT_MAX = 6

/** Prices that a shop would show as a limit, ascending. */
export const ROUND_PRICES: readonly number[] = Array.from(
  { length: EXPONENT_MAX - EXPONENT_MIN + 1 },
  (_, i) => MANTISSAS.map((mantissa) => Number(`${mantissa}e${EXPONENT_MIN + i}`)),
).flat()

/**
 * The lowest round price below which enough documents cost; undefined if none is, or all do.
 *
 * @param below ascending: number of documents below a price
 */
export function lowPriceOf(
  below: readonly { readonly price: number; readonly count: number }[],
  enough: number,
  all: number,
): number | undefined {
  const low = below.find(({ count }) => count > 0 && count >= enough)
  return low === undefined || low.count >= all ? undefined : low.price
}
