import { ENGLISH_STOPWORDS, englishExceptions } from '../analysis/english-words.ts'
import type { IndexDocument } from '../schema/document.ts'
import type { Schema } from '../schema/schema.ts'

/** Endings that the stemmer treats differently, and words to append them to. */
const BASES = 'shoe run hop bed tie cherr knife boxe gentl nation conform oper class'.split(' ')
const ENDINGS = (
  'e s es ed er ers ing ings ies y ly ness ation ational izer fulness ousli iviti biliti logi ' +
  "alize icate ative ical ful ement ion ant ible able 's ssion eed eedly ingly"
).split(' ')
const TEXTS = [
  'AB-12/3 t-shirt 10mm 10-mm 1/2" 2.5kg 16GB x1000 4x4 #7 B&W R2D2 O’Neill don’t 3,000 5 ft',
  'Käse CAFÉ ﬁt straße Ångström naïve İstanbul ПРИВЕТ Ελλάδα ａｂｃ １２ e\u0301 \u200bzero',
  '東京タワー 登山靴 캠핑 텐트 รองเท้า חנות متجر 𐐀𐐁 👟 🇩🇪 a_b snake_case camelCase',
  // Inflections of many languages, so that a rule of every language shows.
  'Schuhe Mueller grünes canción chaussures légères sapatos botões confortáveis scarpe rosse flessen laarzen ' +
    'bordet flaskorna husene skabet kengän talossa туфли красного házakban scaunele kitapları العربية παπούτσια',
  'M8x40 M10x1.5 usb3.0 AB-12.3 2.5/3.5mm 1in/25.4mm',
  '5 m 2,5 l 1.000 ml コンピューター 我喜欢手机 والكتاب йод LG그램 S24케이스',
]

/** More texts for languages whose rules no other text shows. */
const TEXTS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['ja', ['らーめん きやのん 赤いかばん ふいるむ かめら スマホケース']],
  ['zh', ['漢字輸入法 汉字输入法 咖啡機濾紙']],
])

/** Schema of the sample. */
export const SAMPLE_SCHEMA: Schema = {
  fields: [
    { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
    { name: 'value', type: 'string[]', searchable: true, facet: true, sort: false },
    { name: 'number', type: 'float', searchable: false, facet: true, sort: true },
    { name: 'flag', type: 'bool', searchable: true, facet: true, sort: true },
  ],
}

/** Documents that show each rule of a language, for checksums of their index. */
export function sampleDocuments(language: string): IndexDocument[] {
  const exceptions = [...englishExceptions((word) => word).keys(), ...ENGLISH_STOPWORDS]
  const inflected = BASES.flatMap((base) => ENDINGS.map((ending) => base + ending))
  const words = [exceptions.join(' '), inflected.join(' '), 'word '.repeat(300), 'word']
  const texts = [...TEXTS, ...words, ...(TEXTS_OF.get(language) ?? [])]
  return texts.map((text, i) => ({
    docKey: i + 1,
    id: String(i),
    values: [text, [text.slice(0, 20), 'Same', 'same'], i / 4, i % 2 === 0],
  }))
}
