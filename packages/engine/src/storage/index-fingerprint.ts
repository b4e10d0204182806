import { crc32 } from 'node:zlib'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { ENGLISH_STOPWORDS, englishExceptions } from '../analysis/english-words.ts'
import { DictionaryWriter, packStrings } from '../dictionary/shared-dictionary.ts'
import { packTerms, TermWriter } from '../dictionary/term-store.ts'
import type { IndexDocument } from '../schema/document.ts'
import type { Schema } from '../schema/schema.ts'
import { buildSegment } from '../segment/segment-builder.ts'

/** Endings that the stemmer treats in different ways, and words to append them to. */
const BASES = 'shoe run hop bed tie cherr knife boxe gentl nation conform oper class'.split(' ')
const ENDINGS = (
  'e s es ed er ers ing ings ies y ly ness ation ational izer fulness ousli iviti biliti logi ' +
  "alize icate ative ical ful ement ion ant ible able 's ssion eed eedly ingly"
).split(' ')
const TEXTS = [
  'AB-12/3 t-shirt 10mm 10-mm 1/2" 2.5kg 16GB x1000 4x4 #7 B&W R2D2 O’Neill don’t 3,000 5 ft',
  'Käse CAFÉ ﬁt straße Ångström naïve İstanbul ПРИВЕТ Ελλάδα ａｂｃ １２ e\u0301 \u200bzero',
  '東京タワー 登山靴 캠핑 텐트 รองเท้า חנות متجر 𐐀𐐁 👟 🇩🇪 a_b snake_case camelCase',
  // Inflections of many languages, so that some rule of every language shows.
  'Schuhe Mueller grünes canción chaussures légères sapatos botões confortáveis scarpe rosse flessen laarzen ' +
    'bordet flaskorna husene skabet kengän talossa туфли красного házakban scaunele kitapları العربية παπούτσια',
  'M8x40 M10x1.5 usb3.0 AB-12.3 2.5/3.5mm 1in/25.4mm',
  '5 m 2,5 l 1.000 ml コンピューター 我喜欢手机 والكتاب йод',
]

/** More texts for languages with rules that no text of the others shows. */
const TEXTS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['ja', ['らーめん きやのん 赤いかばん ふいるむ かめら スマホケース']],
  ['zh', ['漢字輸入法 汉字输入法 咖啡機濾紙']],
])

/**
 * Fingerprints of languages that most stores have, so that a start need not make them (50 ms, a
 * twentieth of opening a million documents). The test says what they must be.
 */
const KNOWN: ReadonlyMap<string, number> = new Map([['en', 2_981_820_869]])
/** They hold for this version of Unicode, of whose tables folding is made. */
const KNOWN_UNICODE = '17.0'

const fingerprints = new Map(process.versions['unicode'] === KNOWN_UNICODE ? KNOWN : [])

/**
 * Identifies how this version of the program turns text into an index: the checksum of the index of
 * a sample. Files with another fingerprint come from a version that would have found other words in
 * the same documents; they are rebuilt. Nobody has to remember to increase a version number.
 */
export function indexFingerprint(language: string): number {
  let fingerprint = fingerprints.get(language)
  if (fingerprint === undefined) {
    fingerprint = madeFingerprint(language)
    fingerprints.set(language, fingerprint)
  }
  return fingerprint
}

/**
 * The same of an index some of whose fields are in other languages: their rules have a say in what
 * stands in it, too.
 */
export function schemaFingerprint(language: string, { fields }: Schema): number {
  const tags = fields.flatMap((field) => (field.searchable ? (field.language ?? []) : []))
  const others = new Set(tags.map((tag) => createAnalyzer(tag).language))
  others.delete(createAnalyzer(language).language)
  const own = indexFingerprint(language)
  if (others.size === 0) return own
  const all = [own, ...Array.from(others, indexFingerprint).sort((a, b) => a - b)]
  return crc32(new Uint8Array(Uint32Array.from(all).buffer))
}

/** The same, made from the program. */
export function madeFingerprint(language: string): number {
  const terms = new TermWriter()
  const values = [undefined, new DictionaryWriter(), undefined, undefined]
  const { buffer } = buildSegment(
    {
      schema: {
        fields: [
          { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
          { name: 'value', type: 'string[]', searchable: true, facet: true, sort: false },
          { name: 'number', type: 'float', searchable: false, facet: true, sort: true },
          { name: 'flag', type: 'bool', searchable: true, facet: true, sort: true },
        ],
      },
      analyzer: createAnalyzer(language),
      terms,
      values,
    },
    sampleDocuments(language),
  )
  const packed = packTerms(terms.frozen())
  let checksum = crc32(new Uint8Array(buffer))
  const rows = Int32Array.from(packed.rows)
  for (const part of [rows, packed.strings.arena, packStrings(values[1]!.handles()).arena]) {
    checksum = crc32(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), checksum)
  }
  return checksum
}

function sampleDocuments(language: string): IndexDocument[] {
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
