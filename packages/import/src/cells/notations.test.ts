import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isPriceName, kindOfName } from './column-name.ts'
import { readDate } from './date-text.ts'
import { readFlag } from './flag-text.ts'
import { readNumber } from './number-text.ts'

suite('numbers as people write them', () => {
  const cases: readonly (readonly [string, string | undefined, string | undefined, string?])[] = [
    // text, as 1,234.56, as 1.234,56, currency
    ['12,50', undefined, '12.50'],
    ['12.50', '12.50', undefined],
    ['1.299,00', undefined, '1299.00'],
    ['1,299.00', '1299.00', undefined],
    ['1.299', '1.299', '1299'],
    ['1,299', '1299', '1.299'],
    ['1 299,00', undefined, '1299.00'],
    ['1\u00a0299,00', undefined, '1299.00'],
    ['1\u202f299', '1299', '1299'],
    ['1’299.50', '1299.50', undefined],
    ["1'299'000", '1299000', '1299000'],
    ['1,23,456', '123456', undefined],
    ['1.234.567', undefined, '1234567'],
    ['$1,000.00', '1000.00', undefined, 'USD'],
    ['€ 9.99', '9.99', undefined, 'EUR'],
    ['9.99 USD', '9.99', undefined, 'USD'],
    ['1.000,00 €', undefined, '1000.00', 'EUR'],
    ['₹58,990', '58990', '58.990', 'INR'],
    ['CHF 12.-', '12', '12', 'CHF'],
    ['-$5.00', '-5.00', undefined, 'USD'],
    ['99,00 kr', undefined, '99.00', ''],
    ['12,5 %', undefined, '12.5'],
    ['0.125', '0.125', undefined],
    ['007', undefined, undefined],
    ['12,34,5', undefined, undefined],
    ['3 CUP', undefined, undefined],
    ['1.2.3', undefined, undefined],
    ['12 V', undefined, undefined],
    ['', undefined, undefined],
    ['USD', undefined, undefined],
  ]
  for (const [text, point, comma, currency] of cases) {
    test(`of ${JSON.stringify(text)}`, () => {
      assert.equal(readNumber(text, 'point')?.json, point)
      assert.equal(readNumber(text, 'comma')?.json, comma)
      const read = readNumber(text, 'point') ?? readNumber(text, 'comma')
      assert.equal(read?.currency, currency)
    })
  }
})

test('dates as people write them, in either order', () => {
  const cases: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['24.12.2025', '2025-12-24', '2025-12-24'],
    ['12/24/2025', undefined, '2025-12-24'],
    ['24/12/2025', '2025-12-24', undefined],
    ['3/4/2025', '2025-04-03', '2025-03-04'],
    ['2025/12/24', '2025-12-24', '2025-12-24'],
    ['3/4/2025 2:05 PM', '2025-04-03T14:05:00', '2025-03-04T14:05:00'],
    ['31.02.2025', undefined, undefined],
    ['1.2.25', undefined, undefined],
    ['2026-01-31T12:30:00Z', '2026-01-31T12:30:00Z', '2026-01-31T12:30:00Z'],
  ]
  for (const [text, dayFirst, monthFirst] of cases) {
    assert.equal(readDate(text, 'dmy'), dayFirst, text)
    assert.equal(readDate(text, 'mdy'), monthFirst, text)
  }
})

test('flags of several languages', () => {
  for (const text of ['ja', 'Yes', 'oui', '1', 'TRUE', 'sí', 'tak'])
    assert.equal(readFlag(text), true)
  for (const text of ['nein', 'No', 'non', '0', 'false', 'não']) assert.equal(readFlag(text), false)
  for (const text of ['maybe', '', '2', 'yes please']) assert.equal(readFlag(text), undefined)
})

test('names of columns say what their values are', () => {
  const kinds: Readonly<Record<string, ReturnType<typeof kindOfName>>> = {
    SKU: 'code',
    'EAN-13': 'code',
    gtin: 'code',
    UPC: 'code',
    partNumber: 'code',
    'Hersteller-Nr': 'code',
    Artikelnummer: 'code',
    'code postal': 'code',
    PLZ: 'code',
    phone: 'code',
    'variants.barcode': 'code',
    price: 'ratio',
    Verkaufspreis: 'ratio',
    list_price: 'ratio',
    discountPercent: 'ratio',
    rating: 'ratio',
    rating_count: 'count',
    stock: 'count',
    in_stock: 'flag',
    is_new: 'flag',
    title: 'none',
    color: 'none',
  }
  for (const [name, kind] of Object.entries(kinds)) assert.equal(kindOfName(name), kind, name)
  assert.deepEqual(['Preis', 'list price', 'rating'].map(isPriceName), [true, true, false])
})
