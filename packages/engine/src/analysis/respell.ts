type Rule = readonly [pattern: RegExp, replacement: string]

/**
 * Restores what folding removed from the endings of a language: the letters that distinguish its
 * suffixes, where the folded ones are unambiguous or the ambiguity does not matter. Covers what is
 * common in product texts (nouns, adjectives, participles), not tenses of verbs. By primary
 * language subtag.
 */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  ar: [[/ه$/, 'ة']],
  // The old spellings: moebler, Aarhus.
  da: [
    [/aa/, 'a'],
    [/oe/, 'o'],
  ],
  // Umlauts typed without an umlaut key (Mueller, Koeln), as in Snowball's German2: ue is not ü
  // after a vowel or q (neue, Bauer, Quelle) or at the end (Avenue).
  de: [
    [/ae/g, 'a'],
    [/oe(?!t(?:en|isch\w*)?$|ing)/g, 'o'],
    [/(?<![aeiouq]|stat|rev|aven|^s(?=ued)|^d(?=uel|uet))ue(?!$)/g, 'u'],
  ],
  es: [
    [/cion$/, 'ción'],
    [/logia(s?)$/, 'logía$1'],
  ],
  fr: [
    [/ee(s?)$/, 'ée$1'],
    [/ite(s?)$/, 'ité$1'],
    [/iere(s?)$/, 'ière$1'],
  ],
  hu: [
    [/([brt])ol$/, '$1ól'],
    [/nal$/, 'nál'],
    [/nel$/, 'nél'],
    [/kent$/, 'ként'],
  ],
  nb: [
    [/aa/, 'a'],
    [/oe/, 'o'],
  ],
  pt: [
    [/oes$/, 'ao'],
    [/cao$/, 'ção'],
    [/ancia(s?)$/, 'ância$1'],
    [/encia(s?)$/, 'ência$1'],
    [/avel$/, 'ável'],
    [/ivel$/, 'ível'],
    [/aveis$/, 'áveis'],
    [/iveis$/, 'íveis'],
  ],
  // With a cedilla: the algorithm predates the letters with a comma below.
  ro: [
    [/ti(a|e|ei|i|ile|ilor)$/, 'ţi$1'],
    [/and(u?)$/, 'ând$1'],
    [/eaza$/, 'ează'],
    [/easca$/, 'ească'],
  ],
  // Articles that the algorithm does not handle: bordet, bordets, flaskan.
  sv: [
    [
      /^(?!(?:arb|bil|bisk|buff|budg|intern|kab|kom|magn|pak|plan|rak|tabl|tromp)et)([^\Waeiouy]*[aeiouy]\w*[^aeiouyhciqwx])ets?$/,
      '$1',
    ],
    [/^(?!japan|orkan|titan|roman|organ|sedan|innan|utan)(\w{2,}[bdfgjklmnprstvx])an$/, '$1a'],
  ],
}

/** Corrections at the end of a stem. */
const LAST_RULES: Readonly<Record<string, readonly Rule[]>> = {
  // flessen, laarzen, brieven: a consonant is doubled or voiced before an ending.
  nl: [
    [/([bdfgklmnprst])\1$/, '$1'],
    [/z$/, 's'],
    [/v$/, 'f'],
  ],
}

/** @returns the final form of a stem of the language */
export function settle(primary: string): (stem: string) => string {
  return applying(LAST_RULES[primary])
}

/** @returns the input of the language's stemmer for a folded form */
export function respell(primary: string): (form: string) => string {
  if (primary === 'tr') return harmonize
  return applying(RULES[primary === 'nn' || primary === 'no' ? 'nb' : primary])
}

function applying(rules: readonly Rule[] | undefined): (text: string) => string {
  if (rules === undefined) return (text) => text
  return (text) => rules.reduce((word, [pattern, to]) => word.replace(pattern, to), text)
}

/**
 * Turkish: folding made ı an i and ü a u. Vowels of suffixes agree with the previous one, which
 * restores them: kitaplari is kitapları; gozluku is gözlükü, or the choice does not matter.
 */
function harmonize(form: string): string {
  let before = ''
  let word = ''
  for (const letter of form) {
    let own = letter
    if (letter === 'i' && BACK_VOWELS.includes(before) && before !== '') own = 'ı'
    if (letter === 'u' && FRONT_VOWELS.includes(before) && before !== '') own = 'ü'
    if (BACK_VOWELS.includes(own) || FRONT_VOWELS.includes(own)) before = own
    word += own
  }
  return word
}

const BACK_VOWELS = 'aıou'
const FRONT_VOWELS = 'eiöü'
