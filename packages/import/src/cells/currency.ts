/** Currency signs, each with the currency that it usually means. */
const SIGNS: Readonly<Record<string, string>> = {
  $: 'USD',
  us$: 'USD',
  c$: 'CAD',
  ca$: 'CAD',
  a$: 'AUD',
  au$: 'AUD',
  nz$: 'NZD',
  hk$: 'HKD',
  s$: 'SGD',
  r$: 'BRL',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  rs: 'INR',
  'rs.': 'INR',
  '₽': 'RUB',
  '₺': 'TRY',
  '₩': 'KRW',
  '₪': 'ILS',
  '₫': 'VND',
  '₴': 'UAH',
  '฿': 'THB',
  zł: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  lei: 'RON',
  fr: 'CHF',
  'fr.': 'CHF',
  sfr: 'CHF',
}

/** Crowns of several countries: an amount, but of an unknown currency. */
const UNNAMED = new Set(['kr', 'kr.'])

/** ISO 4217 codes that shops use; the full list contains words such as ALL, CUP and PEN. */
const CODES = new Set(
  (
    'USD EUR GBP JPY CNY INR CHF CAD AUD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH TRY BRL ' +
    'MXN ARS CLP COP ZAR EGP NGN KES KRW SGD HKD TWD THB IDR MYR PHP VND ILS AED SAR PKR BDT'
  ).split(' '),
)

/**
 * The currency that a text beside an amount names; empty when it is one that several countries
 * share.
 *
 * @returns undefined if it names none
 */
export function currencyOf(text: string): string | undefined {
  if (CODES.has(text)) return text
  const sign = text.toLowerCase()
  if (UNNAMED.has(sign)) return ''
  return Object.hasOwn(SIGNS, sign)
    ? SIGNS[sign]
    : CODES.has(text.toUpperCase())
      ? text.toUpperCase()
      : undefined
}
