/** The words of one language that say what a part of a query means. */
export interface PhraseWords {
  /** Before an amount. */
  readonly below: readonly string[]
  readonly above: readonly string[]
  /** Before an amount, but only with a currency: `up to 50` may count anything. */
  readonly atMost: readonly string[]
  readonly atLeast: readonly string[]
  /** After an amount with a currency. */
  readonly orLess: readonly string[]
  readonly orMore: readonly string[]
  /** Before the lower amount, and between the two. */
  readonly between: readonly (readonly [string, string])[]
  /** The same, only with a currency. */
  readonly fromTo: readonly (readonly [string, string])[]
  /** Every form of it. */
  readonly cheap: readonly string[]
  readonly currency: readonly string[]
  /** Before a size, a colour, a brand, a material, a category. */
  readonly size: readonly string[]
  readonly color: readonly string[]
  readonly brand: readonly string[]
  readonly material: readonly string[]
  readonly category: readonly string[]
}

/** A row of texts; a comma separates. */
const list = (texts: string): readonly string[] => texts.split(', ')

/** By primary language subtag. Pounds weigh, so they are not a currency. */
export const PHRASE_WORDS: Readonly<Record<string, PhraseWords>> = {
  en: {
    below: list('under, below, less than, cheaper than, lower than'),
    above: list('over, above, more than, higher than'),
    atMost: list('up to, at most, max, maximum, no more than, not more than'),
    atLeast: list('from, at least, min, minimum, starting at'),
    orLess: list('or less, or under, or below, or cheaper, max, maximum'),
    orMore: list('or more, and up, and over, or over, or above'),
    between: [['between', 'and']],
    fromTo: [['from', 'to']],
    cheap: list('cheap, inexpensive, affordable'),
    currency: list('euro, euros, dollar, dollars, bucks'),
    size: list('size, sizes, sz'),
    color: list('color, colour, colored, coloured'),
    brand: list('brand'),
    material: list('material, made of, made from'),
    category: list('category'),
  },
  de: {
    below: list('unter, weniger als, günstiger als, billiger als, unterhalb von'),
    above: list('über, mehr als, teurer als, oberhalb von'),
    atMost: list('bis, bis zu, höchstens, maximal, max, nicht mehr als'),
    atLeast: list('ab, mindestens, min, von'),
    orLess: list('oder weniger, oder günstiger, max, maximal'),
    orMore: list('oder mehr'),
    between: [['zwischen', 'und']],
    fromTo: [['von', 'bis']],
    cheap: list(
      'billig, billige, billiger, billiges, billigen, günstig, günstige, günstiger, günstiges, günstigen, preiswert, preiswerte, preiswerter, preiswertes, preiswerten',
    ),
    currency: list('euro, euros, franken'),
    size: list('größe, grösse, gr'),
    color: list('farbe'),
    brand: list('marke'),
    material: list('material'),
    category: list('kategorie'),
  },
  fr: {
    below: list('moins de, en dessous de, au dessous de, inférieur à, moins cher que'),
    above: list('plus de, au dessus de, supérieur à, plus cher que'),
    atMost: list("jusqu'à, maximum, max, au plus"),
    atLeast: list('à partir de, au moins, minimum, min, dès'),
    orLess: list('ou moins, maximum, max'),
    orMore: list('ou plus, et plus'),
    between: [['entre', 'et']],
    fromTo: [['de', 'à']],
    cheap: list('pas cher, pas chère, pas chers, pas chères, bon marché'),
    currency: list('euro, euros, dollars'),
    size: list('taille, pointure'),
    color: list('couleur, de couleur'),
    brand: list('marque, de marque, de la marque'),
    material: list('matière, en matière'),
    category: list('catégorie'),
  },
  es: {
    below: list('menos de, por debajo de, menor de, inferior a, más barato que'),
    above: list('más de, por encima de, mayor de, superior a, más caro que'),
    atMost: list('hasta, máximo, como máximo, max'),
    atLeast: list('desde, a partir de, mínimo, al menos'),
    orLess: list('o menos, máximo, como máximo'),
    orMore: list('o más'),
    between: [['entre', 'y']],
    fromTo: [
      ['de', 'a'],
      ['desde', 'hasta'],
    ],
    cheap: list('barato, barata, baratos, baratas, económico, económica, económicos, económicas'),
    currency: list('euro, euros, dólar, dólares, pesos'),
    size: list('talla, tallas, tamaño, número'),
    color: list('color, de color'),
    brand: list('marca, de marca, de la marca'),
    material: list('material, de material'),
    category: list('categoría'),
  },
  it: {
    below: list('sotto i, sotto, meno di, al di sotto di, inferiore a'),
    above: list('sopra i, sopra, più di, oltre i, oltre, al di sopra di, superiore a'),
    atMost: list('fino a, massimo, al massimo, max'),
    atLeast: list('da, a partire da, minimo, almeno'),
    orLess: list('o meno, massimo, al massimo'),
    orMore: list('o più, in su'),
    between: [
      ['tra', 'e'],
      ['fra', 'e'],
      ['tra i', 'e i'],
    ],
    fromTo: [['da', 'a']],
    cheap: list('economico, economica, economici, economiche, a buon mercato, a poco prezzo'),
    currency: list('euro, dollari'),
    size: list('taglia, misura'),
    color: list('colore, di colore, color'),
    brand: list('marca, di marca'),
    material: list('materiale, in materiale'),
    category: list('categoria'),
  },
  nl: {
    below: list('onder de, onder, minder dan, goedkoper dan, lager dan'),
    above: list('boven de, boven, meer dan, duurder dan, hoger dan'),
    atMost: list('tot, maximaal, hoogstens, max'),
    atLeast: list('vanaf, minimaal, minstens, van'),
    orLess: list('of minder, maximaal, max'),
    orMore: list('of meer'),
    between: [
      ['tussen', 'en'],
      ['tussen de', 'en'],
    ],
    fromTo: [['van', 'tot']],
    cheap: list('goedkoop, goedkope, voordelig, voordelige'),
    currency: list('euro, euros, dollar'),
    size: list('maat, maten'),
    color: list('kleur, in kleur'),
    brand: list('merk, van het merk'),
    material: list('materiaal'),
    category: list('categorie'),
  },
  pt: {
    below: list('menos de, abaixo de, menos que, mais barato que, inferior a'),
    above: list('mais de, acima de, mais que, superior a'),
    atMost: list('até, no máximo, máximo, max'),
    atLeast: list('a partir de, no mínimo, mínimo, desde'),
    orLess: list('ou menos, no máximo'),
    orMore: list('ou mais'),
    between: [['entre', 'e']],
    fromTo: [['de', 'a']],
    cheap: list('barato, barata, baratos, baratas, económico, econômico, económica, econômica'),
    currency: list('euro, euros, reais, dólares'),
    size: list('tamanho, número'),
    color: list('cor, na cor, da cor, de cor'),
    brand: list('marca, da marca'),
    material: list('material, de material'),
    category: list('categoria'),
  },
  sv: {
    below: list('under, mindre än, billigare än'),
    above: list('över, mer än, dyrare än'),
    atMost: list('upp till, högst, max'),
    atLeast: list('från, minst'),
    orLess: list('eller mindre'),
    orMore: list('eller mer'),
    between: [['mellan', 'och']],
    fromTo: [['från', 'till']],
    cheap: list('billig, billigt, billiga'),
    currency: list('kr, kronor, euro'),
    size: list('storlek, strl'),
    color: list('färg'),
    brand: list('märke, märket'),
    material: list('material'),
    category: list('kategori'),
  },
  da: {
    below: list('under, mindre end, billigere end'),
    above: list('over, mere end, dyrere end'),
    atMost: list('op til, højst, max'),
    atLeast: list('fra, mindst'),
    orLess: list('eller mindre'),
    orMore: list('eller mere'),
    between: [['mellem', 'og']],
    fromTo: [['fra', 'til']],
    cheap: list('billig, billigt, billige'),
    currency: list('kr, kroner, euro'),
    size: list('størrelse, str'),
    color: list('farve'),
    brand: list('mærke, mærket'),
    material: list('materiale'),
    category: list('kategori'),
  },
  no: {
    below: list('under, mindre enn, billigere enn'),
    above: list('over, mer enn, dyrere enn'),
    atMost: list('opptil, høyst, maks'),
    atLeast: list('fra, minst'),
    orLess: list('eller mindre'),
    orMore: list('eller mer'),
    between: [['mellom', 'og']],
    fromTo: [['fra', 'til']],
    cheap: list('billig, billige, rimelig, rimelige'),
    currency: list('kr, kroner, euro'),
    size: list('størrelse, str'),
    color: list('farge'),
    brand: list('merke, merket'),
    material: list('materiale'),
    category: list('kategori'),
  },
  pl: {
    below: list('poniżej, mniej niż, tańsze niż'),
    above: list('powyżej, więcej niż, ponad, droższe niż'),
    atMost: list('do, maksymalnie'),
    atLeast: list('od, co najmniej'),
    orLess: list('lub mniej'),
    orMore: list('lub więcej'),
    between: [
      ['między', 'a'],
      ['pomiędzy', 'a'],
    ],
    fromTo: [['od', 'do']],
    cheap: list('tani, tania, tanie'),
    currency: list('zł, złotych, euro'),
    size: list('rozmiar'),
    color: list('kolor, w kolorze'),
    brand: list('marka, marki'),
    material: list('materiał'),
    category: list('kategoria'),
  },
}

/** ISO codes that a currency is typed with; none is another common word. */
export const CURRENCY_CODES = list('eur, usd, gbp, chf, sek, nok, dkk, pln, czk, brl, inr')

/** The words of some languages; those of no known language are left out. */
export function phraseWordsOf(languages: readonly string[]): readonly PhraseWords[] {
  const subtags = new Set(languages.map((tag) => tag.split('-', 1)[0]!.toLowerCase()))
  const isNorwegian = subtags.has('nb') || subtags.has('nn')
  if (isNorwegian) subtags.add('no')
  return Object.entries(PHRASE_WORDS).flatMap(([subtag, words]) =>
    subtags.has(subtag) ? [words] : [],
  )
}
