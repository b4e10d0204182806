import { WordLengths } from './word-lengths.ts'

/**
 * Units of measure after a number. `form` is the token of all spellings; joined spellings use
 * `symbol`, so that 60 W, 60-W and 60watt all give `60w`.
 */
export interface Unit {
  readonly form: string
  readonly symbol: string
}

/** form, symbol, spellings. Other rules map the quote characters to inch and foot. */
const UNITS: readonly (readonly [form: string, symbol: string, spellings: string])[] = [
  [
    'in',
    'in',
    'in inch inches zoll pouce pouces pulgada pulgadas pollici polegada polegadas tum tommer inc',
  ],
  ['ft', 'ft', 'ft foot feet'],
  ['yd', 'yd', 'yd yds yard yards'],
  [
    'mm',
    'mm',
    'mm mms millimeter millimeters millimetre millimetres milimetro milimetros millimetri мм',
  ],
  [
    'cm',
    'cm',
    'cm cms centimeter centimeters centimetre centimetres zentimeter centimetro centimetros centimetri см',
  ],
  ['meter', 'm', 'meter mtr mtrs meters metre metres metro metros metri м'],
  ['km', 'km', 'km kilometer kilometers kilometre kilometres'],
  ['lb', 'lb', 'lb lbs pound pounds'],
  ['oz', 'oz', 'oz ozs ounce ounces'],
  ['gram', 'g', 'gram gm gms grams gramm gramme grammes gramo gramos grama gramas grammi г'],
  ['kg', 'kg', 'kg kgs kilo kilos kilogram kilograms kilogramm кг'],
  ['mg', 'mg', 'mg milligram milligrams'],
  ['liter', 'l', 'liter ltr ltrs lts liters litre litres litro litros litri л'],
  ['ml', 'ml', 'ml mls milliliter milliliters millilitre millilitres мл'],
  ['gallon', 'gal', 'gal gallon gallons'],
  ['quart', 'qt', 'qt qts quart quarts'],
  ['watt', 'w', 'watt watts вт'],
  ['kw', 'kw', 'kw kilowatt kilowatts'],
  ['volt', 'v', 'volt volts'],
  ['amp', 'a', 'amp amps ampere amperes'],
  ['mah', 'mah', 'mah'],
  ['hz', 'hz', 'hz hertz'],
  ['khz', 'khz', 'khz kilohertz'],
  ['mhz', 'mhz', 'mhz megahertz'],
  ['ghz', 'ghz', 'ghz gigahertz'],
  ['mb', 'mb', 'mb mbs megabyte megabytes'],
  ['gb', 'gb', 'gb gbs gigabyte gigabytes гб'],
  ['tb', 'tb', 'tb tbs terabyte terabytes'],
]

/** The tokens of all spellings. */
export const UNIT_FORMS: readonly string[] = UNITS.map(([form]) => form)

export const INCH: Unit = { form: 'in', symbol: 'in' }
export const FOOT: Unit = { form: 'ft', symbol: 'ft' }

const bySpelling = new Map<string, Unit>()
/** By one-letter symbol. */
const byLetter = new Map<string, Unit>()
for (const [form, symbol, spellings] of UNITS) {
  const unit = { form, symbol }
  for (const spelling of spellings.split(' ')) bySpelling.set(spelling, unit)
  if (symbol.length === 1) byLetter.set(symbol, unit)
}

const spellingLengths = new WordLengths(bySpelling.keys())

/** The unit that a folded word spells after a number. */
export function unitSpelled(word: string): Unit | undefined {
  return spellingLengths.mayHave(word) ? bySpelling.get(word) : undefined
}

/** The units with a spelling that is longer than a folded word and begins with it. */
export function unitsBegun(word: string): readonly Unit[] {
  const begun = [...bySpelling].filter(
    ([spelling]) => spelling.length > word.length && spelling.startsWith(word),
  )
  return [...new Set(begun.map(([, unit]) => unit))]
}

/**
 * The unit of a single letter after a number. Half of all catalogs put a space before volt and
 * watt; other letters are a unit only when attached to the digits (15a, 2-l): "10 a" is an article,
 * "10 m" a size.
 */
export function unitLetter(letter: string, attached: boolean): Unit | undefined {
  return attached || letter === 'v' || letter === 'w' ? byLetter.get(letter) : undefined
}

/**
 * The unit that a single letter after a number and a space may mean, besides the letter: "5 m" is
 * also five meters. An a is too often an article.
 */
export function unitMaybe(letter: string): Unit | undefined {
  return letter === 'm' || letter === 'l' || letter === 'g' ? byLetter.get(letter) : undefined
}
